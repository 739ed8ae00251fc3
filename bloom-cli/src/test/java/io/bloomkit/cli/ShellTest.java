package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
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
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Bloom.class.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> new File(entry).getAbsoluteFile().toURI().toString())
            .collect(Collectors.joining(" ")));
    try (OutputStream out = Files.newOutputStream(lib.resolve("bloom.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  @Test
  @Tag("deep")
  void theLauncherFindsItsJarThroughLinksAndHandsArgumentsOn() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path link = Files.createSymbolicLink(bin.resolve("first"), Path.of("../a lib/bloom"));
    link = Files.createSymbolicLink(bin.resolve("bloom"), link.toAbsolutePath());
    Files.writeString(folder.resolve("some lines"), "a\na\n*\n");
    Run run = run(List.of(link.toString(), "dedup", "some lines", "--separator", "* *"));
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

  /** Java would open files of its own in place of the closed input, and read those. */
  @Test
  void aClosedInputIsAnEmptyOne() throws Exception {
    Run run = run(List.of("sh", "-c", "\"$0\" dedup <&-", installed.toString()));
    assertEquals(0, run.exitCode, run.err);
    assertEquals("", run.out);
    assertTrue(run.err.contains("0 lines"), run.err);
  }

  @Test
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

  /** Newer Java reads files of arguments as UTF-8 in every locale. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_17)
  void argumentsInAFileMustSuitTheLocaleToo() throws Exception {
    Files.writeString(folder.resolve("arguments"), "-t\n\u20ac\n");
    Run run = run(List.of(installed.toString(), "dedup", "@arguments", "-f", "1"), "LC_ALL", "C");
    assertEquals(2, run.exitCode, run.err);
    assertTrue(run.err.startsWith("bloom: the argument '"), run.err);
  }

  @Test
  void theLauncherNamesWhatIsMissing() throws Exception {
    Run noJava = run(List.of(installed.toString(), "--version"), "JAVA_HOME", "/no/such");
    assertEquals(2, noJava.exitCode);
    assertEquals(
        "bloom: there is no program /no/such/bin/java; install Java 17 or newer, or set JAVA_HOME",
        noJava.err.strip());
    Path alone = Files.createDirectories(folder.resolve("alone")).resolve("bloom");
    Files.copy(installed, alone, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
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
