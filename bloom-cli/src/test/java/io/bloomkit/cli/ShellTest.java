package io.bloomkit.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What lies beside the jar: the script that runs it, and the one that completes in shells. */
@DisabledOnOs(OS.WINDOWS)
class ShellTest {

  @TempDir private static Path folder;
  private static Path installed;

  private record Run(int exitCode, String out, String err) {}

  private static Run run(List<String> command, String... environment) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    for (int i = 0; i < environment.length; i += 2) {
      builder.environment().put(environment[i], environment[i + 1]);
    }
    Path err = folder.resolve("err");
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, Files.readString(err));
  }

  /** The jar holds nothing but the class path of this test. */
  @BeforeAll
  static void install() throws IOException {
    Path lib = Files.createDirectories(folder.resolve("a lib"));
    installed = Files.copy(Path.of("src/main/scripts/bloom"), lib.resolve("bloom"));
    assertTrue(installed.toFile().setExecutable(true));
    Manifest manifest = manifest();
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> new File(entry).getAbsoluteFile().toURI().toString())
                .collect(Collectors.joining(" ")));
    try (OutputStream out = Files.newOutputStream(lib.resolve("bloom.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Bloom.class.getName());
    return manifest;
  }

  @Test
  @Tag("deep")
  void theLauncherFindsItsJarThroughLinksAndPassesArguments() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path link = Files.createSymbolicLink(bin.resolve("first"), Path.of("../a lib/bloom"));
    link = Files.createSymbolicLink(bin.resolve("bloom"), link.toAbsolutePath());
    Files.writeString(folder.resolve("some lines"), "a\na\n*\n");
    Run run = run(List.of(link.toString(), "dedup", "some lines", "-f1", "--separator", "* *"));
    assertEquals(0, run.exitCode, run.err);
    assertEquals("a\n*\n", run.out);
    assertEquals(2, run(List.of(link.toString(), "dedup", "none")).exitCode);
  }

  @Test
  void theLauncherTakesOptionsOfJava() throws Exception {
    Run run =
        run(
            List.of(installed.toString(), "--version"),
            "JAVA_OPTS",
            "-Xmx40m -XX:+PrintCommandLineFlags");
    assertEquals(0, run.exitCode, run.err);
    assertTrue(run.out.contains("-XX:MaxHeapSize=" + (40 << 20)), run.out);
    assertTrue(run.out.contains("bloom "), run.out);
  }

  /** An empty file keeps later runs from trying again. */
  @Test
  void aJavaThatMakesNoArchiveIsAskedOnce() throws Exception {
    Path home = javaThatAnswersTheRequestForAnArchiveBy("exit 0");
    Set<String> before = archives();
    runByOtherJava(home);
    Set<String> made = archives();
    made.removeAll(before);
    assertEquals(1, made.size());
    Path archive = installed.resolveSibling(made.iterator().next());
    assertEquals(0, Files.size(archive));
    assertEquals(1, requests(home));
    runByOtherJava(home);
    assertEquals(1, requests(home));
  }

  @Test
  void aJavaThatFailedToMakeAnArchiveIsAskedAgain() throws Exception {
    Path home = javaThatAnswersTheRequestForAnArchiveBy("exit 1");
    Set<String> before = archives();
    for (int i = 1; i <= 2; i++) {
      runByOtherJava(home);
      assertEquals(before, archives());
      assertEquals(i, requests(home));
    }
  }

  private static Set<String> archives() throws IOException {
    return names(Objects.requireNonNull(installed.getParent()))
        .filter(name -> name.contains(".jsa"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the home of a Java whose program notes each request for an archive. */
  private static Path javaThatAnswersTheRequestForAnArchiveBy(String command) throws IOException {
    Path home = Files.createTempDirectory(folder, "other java");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    String script =
        "#!/bin/sh\ncase $1 in -XX:Archive*) echo >>'%s'; %s ;; esac\nexec '%s/bin/java' \"$@\"\n";
    Files.writeString(
        java, script.formatted(home.resolve("requests"), command, System.getProperty("java.home")));
    assertTrue(java.toFile().setExecutable(true));
    return home;
  }

  private static int requests(Path home) throws IOException {
    return Files.readAllLines(home.resolve("requests")).size();
  }

  private static void runByOtherJava(Path home) throws Exception {
    Run run = run(List.of(installed.toString(), "--version"), "JAVA_HOME", home.toString());
    assertEquals(0, run.exitCode, run.err);
    assertEquals("", run.err);
    assertTrue(run.out.matches("bloom .*\\n"), run.out);
  }

  /** Root may write everywhere, so the launcher runs as another user then. */
  @Test
  @Tag("deep")
  void whereItMayNotWriteTheLauncherDoesWithout() throws Exception {
    Path lib = Files.createDirectories(folder.resolve("read only"));
    Path bloom = Files.copy(installed, lib.resolve("bloom"), COPY_ATTRIBUTES);
    writeFullJar(lib);
    assertTrue(folder.toFile().setExecutable(true, false));
    assertTrue(lib.toFile().setWritable(false));
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
    }
    command.addAll(List.of(bloom.toString(), "--version"));
    Run run = run(command);
    assertEquals("", run.err);
    assertTrue(run.out.matches("bloom .*\\n"), run.out);
    assertEquals(List.of("bloom", "bloom.jar"), names(lib).sorted().toList());
    assertTrue(lib.toFile().setWritable(true));
  }

  /** The launcher beside a jar with classes, as it is installed. */
  @Test
  @Tag("deep")
  void theFirstRunMakesAnArchiveOfClassesAndSeveralFirstRunsMakeOne() throws Exception {
    Path lib = Files.createDirectories(folder.resolve("real"));
    Path bloom = Files.copy(installed, lib.resolve("bloom"), COPY_ATTRIBUTES);
    writeFullJar(lib);
    List<Process> first = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ProcessBuilder builder =
          new ProcessBuilder(bloom.toString(), "size", "--items=9", "--kind=classic");
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      first.add(builder.redirectErrorStream(true).start());
    }
    for (Process process : first) {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(out.matches("(?s)kind +positions.*classic +7.0.*yes\\n"), out);
      assertEquals(0, process.waitFor());
    }
    List<String> made = names(lib).filter(name -> name.startsWith("bloom")).toList();
    assertEquals(3, made.size(), made.toString());
    assertTrue(made.get(1).matches("bloom-\\d+\\.jsa"), made.toString());
    Path archive = lib.resolve(made.get(1));
    assertTrue(Files.size(archive) > 1 << 20);

    Path loaded = folder.resolve("loaded");
    String[] log = {"JAVA_OPTS", "-Xlog:class+load:file=" + loaded};
    assertEquals(0, run(List.of(bloom.toString(), "--version"), log).exitCode);
    assertTrue(isFromArchive(loaded));

    // The archive of another jar is not used, and nothing is said; then it is made again.
    Instant later = Instant.now().plusSeconds(60);
    Files.setLastModifiedTime(lib.resolve("bloom.jar"), FileTime.from(later));
    Files.setLastModifiedTime(archive, FileTime.from(later.plusSeconds(60)));
    Run other = run(List.of(bloom.toString(), "--version"), log);
    assertEquals("", other.err);
    assertTrue(other.out.matches("bloom .*\\n"), other.out);
    assertFalse(isFromArchive(loaded));
    Files.setLastModifiedTime(archive, FileTime.from(Instant.EPOCH));
    assertEquals(0, run(List.of(bloom.toString(), "--version"), log).exitCode);
    assertTrue(isFromArchive(loaded));
    Object archiveOfTheLaterJar = fileKey(archive);
    assertEquals(0, run(List.of(bloom.toString(), "--version"), log).exitCode);
    assertEquals(archiveOfTheLaterJar, fileKey(archive));

    // Another Java makes one of its own.
    Path home = javaThatAnswersTheRequestForAnArchiveBy("");
    String[] environment = {"JAVA_HOME", home.toString()};
    assertEquals(0, run(List.of(bloom.toString(), "--version"), environment).exitCode);
    assertEquals(1, requests(home));
    assertEquals(2, names(lib).filter(name -> name.endsWith(".jsa")).count());
    assertEquals(archiveOfTheLaterJar, fileKey(archive));
  }

  private static Object fileKey(Path file) throws IOException {
    return Objects.requireNonNull(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
  }

  /** Returns whether a log of loaded classes has one of ours from the archive. */
  private static boolean isFromArchive(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .anyMatch(
            line ->
                line.contains(" io.bloomkit.")
                    && line.contains("source: shared objects file (top)"));
  }

  private static Stream<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  /** Writes bloom.jar with the classes of this project and those that a short run needs. */
  private static void writeFullJar(Path lib) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (path.endsWith("target/classes")) {
        addAll(path, entries);
      } else if (entry.matches(
          ".*/(bloom-[a-z]+|picocli|hash4j|fastutil-core|commons-math3)-[^/]*[.]jar")) {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          addAll(jar.getPath("/"), entries);
        }
      }
    }
    Manifest manifest = manifest();
    try (JarOutputStream out =
        new JarOutputStream(Files.newOutputStream(lib.resolve("bloom.jar")), manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
  }

  /** Adds classes and the names of services; several modules provide filters by one service. */
  private static void addAll(Path top, Map<String, byte[]> entries) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = top.relativize(file).toString();
        if (name.endsWith(".class") || name.startsWith("META-INF/services/")) {
          byte[] before = entries.getOrDefault(name, new byte[0]);
          byte[] added = Files.readAllBytes(file);
          byte[] all = Arrays.copyOf(before, before.length + added.length);
          System.arraycopy(added, 0, all, before.length, added.length);
          entries.put(name, name.endsWith(".class") ? added : all);
        }
      }
    }
  }

  /** Java would open files of its own in place of the closed input, and read those. */
  @Test
  void aClosedInputIsAnEmptyOne() throws Exception {
    Run run = run(List.of("sh", "-c", "\"$0\" dedup <&-", installed.toString()));
    assertEquals(0, run.exitCode, run.err);
    assertEquals("", run.out);
    assertTrue(run.err.contains("0 lines"), run.err);
  }

  @Test
  void aRedirectedFileCanBeReadTwice() throws Exception {
    Files.writeString(folder.resolve("twice"), "skipped\na\nb\na\nc");
    Run run = run(List.of("sh", "-c", "\"$0\" dedup -u <twice", installed.toString()));
    assertEquals("skipped\nb\nc", run.out, run.err);
    run = run(List.of("sh", "-c", "cat twice | \"$0\" dedup -u", installed.toString()));
    assertEquals(2, run.exitCode, run.err);
    assertTrue(run.err.contains("only regular files permit"), run.err);
  }

  @Test
  @Tag("deep")
  void aRedirectedFileIsReadAgainFromItsStart() throws Exception {
    Files.writeString(folder.resolve("twice"), "skipped\na\nb\na\nc");
    Run run =
        run(List.of("sh", "-c", "{ read first; \"$0\" dedup -u; } <twice", installed.toString()));
    assertTrue(run.exitCode == 0 && run.out.endsWith("c"), run.err);
    run =
        run(
            List.of(
                "sh",
                "-c",
                "\"$0\" build --kind classic -o counted.bloom <twice",
                installed.toString()));
    assertEquals(0, run.exitCode, run.err);
    assertTrue(run.err.startsWith("counted 5 lines of standard input; reading it again"), run.err);
    run = run(List.of("sh", "-c", ": >empty; \"$0\" dedup -u <empty", installed.toString()));
    assertEquals(0, run.exitCode, run.err);
  }

  /** On macOS, arguments are UTF-8 in every locale. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void argumentsThatTheLocaleCannotCarryAreRefused() throws Exception {
    String remedy =
        "' has bytes that are no text in the encoding of this locale, "
            + "ANSI_X3.4-1968; a locale of UTF-8 carries them: LC_ALL=C.UTF-8";
    for (String arguments : List.of("dedup -t '\u20ac' -f 1", "inspect 'caf\u00e9.bloom'")) {
      Path script =
          Files.writeString(folder.resolve("script"), "exec ./a\\ lib/bloom " + arguments);
      Run run = run(List.of("sh", script.toString()), "LC_ALL", "C");
      assertEquals(2, run.exitCode, run.err);
      assertEquals("", run.out);
      assertTrue(run.err.startsWith("bloom: the argument '"), run.err);
      assertTrue(run.err.strip().endsWith(remedy), run.err);
    }
  }

  /** The link has no such characters. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aStateWithAPathThatTheLocaleLacksIsRefused() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("script"),
            "mkdir -p caf\u00e9/seen; ln -s caf\u00e9/seen link;"
                + " exec ./a\\ lib/bloom dedup --state link");
    Run run = run(List.of("sh", script.toString()), "LC_ALL", "C");
    assertEquals(2, run.exitCode, run.err);
    assertTrue(run.err.contains("its path has characters that the locale lacks"), run.err);
  }

  @Test
  void theLauncherNamesWhatIsMissing() throws Exception {
    Run noJava = run(List.of(installed.toString(), "--version"), "JAVA_HOME", "/no/such");
    assertEquals(2, noJava.exitCode);
    assertEquals(
        "bloom: there is no program /no/such/bin/java; install Java 17 or newer, or set JAVA_HOME",
        noJava.err.strip());
    Path alone = Files.createDirectories(folder.resolve("alone")).resolve("bloom");
    Files.copy(installed, alone, COPY_ATTRIBUTES);
    Run noJar = run(List.of(alone.toString(), "--version"));
    assertEquals(2, noJar.exitCode);
    assertTrue(noJar.err.startsWith("bloom: there is no file "), noJar.err);
    assertTrue(noJar.err.strip().endsWith("/alone/bloom.jar"), noJar.err);
  }

  @Test
  void shellsCompleteCommandsOptionsAndTheirValues() throws Exception {
    Path script = folder.resolve("completion");
    Files.writeString(script, CommandRun.succeed("", "completion").out());
    assertEquals(List.of("intersect", "inspect"), completed(script, "bloom", "in"));
    assertEquals(List.of("--kind"), completed(script, "bloom", "build", "--k"));
    assertEquals(
        List.of("blocked", "blocked-counting"),
        completed(script, "bloom", "build", "--kind", "blocked"));
    assertEquals(
        List.of("ids", "clicks", "accounts"), completed(script, "bloom", "experiment", ""));
  }

  /** Examples of one page use each other's files. */
  @Tag("deep")
  @Test
  void theExamplesOfThePagePrintWhatItSays() throws Exception {
    Markdown page = new Markdown("docs/command-line.md");
    List<String> examples = page.blocks("sh");
    List<String> outputs = page.blocks("text");
    assertEquals(examples.size(), outputs.size());
    for (int i = 0; i < examples.size(); i++) {
      Run run =
          run(
              List.of("bash", "-e", "-c", examples.get(i)),
              "PATH",
              installed.getParent() + ":" + System.getenv("PATH"));
      assertEquals(0, run.exitCode, run.err);
      assertEquals(outputs.get(i), run.out);
    }
  }

  private static List<String> completed(Path script, String... words) throws Exception {
    String line =
        Arrays.stream(words).map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    Run run =
        run(
            List.of(
                "bash",
                "-c",
                "source \"$1\"; COMP_WORDS=("
                    + line
                    + "); COMP_CWORD="
                    + (words.length - 1)
                    + "; _complete_bloom; printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                script.toString()));
    assertEquals(0, run.exitCode, run.err);
    return run.out.lines().toList();
  }
}
