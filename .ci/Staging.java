import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Checks what {@code mvn -Prelease -DskipTests deploy} has put into target/staging: {@code java
 * .ci/Staging.java}, in the top folder.
 *
 * <p>The rules are those that Maven Central publishes as its requirements: complete poms, sources
 * and Javadoc beside each jar, checksums, signatures, no snapshots. Rules of this project are
 * added: a CycloneDX bill of materials beside each jar, and a {@code bloom-bom} that names exactly
 * the staged modules.
 *
 * <p>{@code --rehearsal} allows snapshots and the placeholders of the parent pom. {@code --signed}
 * requires signatures; without it a folder may have none, but not some. {@code --same FOLDER}
 * compares with the staging folder of another build of the same commit instead, byte by byte.
 */
final class Staging {

  private static final String BOM = "bloom-bom";

  /** Elements, as paths below {@code project}. */
  private static final List<String> REQUIRED =
      List.of(
          "modelVersion",
          "groupId",
          "artifactId",
          "version",
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "developers/developer/email",
          "developers/developer/organization",
          "developers/developer/organizationUrl",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private static final List<String> BESIDE_A_JAR =
      List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml");

  private static final Map<String, String> CHECKSUMS =
      new TreeMap<>(
          Map.of(".md5", "MD5", ".sha1", "SHA-1", ".sha256", "SHA-256", ".sha512", "SHA-512"));

  private static final Set<String> REQUIRED_CHECKSUMS = Set.of(".md5", ".sha1");

  /** Top-level domains that RFC 2606 keeps free. */
  private static final Pattern PLACEHOLDER = Pattern.compile("\\.(example|invalid)\\b");

  /** The time and number in the names of a snapshot's files. */
  private static final Pattern BUILD = Pattern.compile("-\\d{8}\\.\\d{6}-\\d+");

  private final Path folder;
  private final boolean rehearsal;
  private final List<String> faults = new ArrayList<>();
  private final List<Pom> poms = new ArrayList<>();
  private int signatures;
  private int signable;

  private Staging(Path folder, boolean rehearsal) {
    this.folder = folder;
    this.rehearsal = rehearsal;
  }

  private record Pom(Path file, Element project) {

    String artifactId() {
      return first("artifactId");
    }

    String version() {
      return first("version");
    }

    boolean isJar() {
      String packaging = first("packaging");
      return packaging.isEmpty() || packaging.equals("jar");
    }

    /** The path of the files beside the pom, up to classifier and extension. */
    String stem() {
      return file.toString().replaceAll("\\.pom$", "");
    }

    List<Element> all(String path) {
      return elements(project, path);
    }

    String first(String path) {
      return all(path).stream().map(e -> e.getTextContent().strip()).findFirst().orElse("");
    }
  }

  public static void main(String[] args)
      throws IOException, ParserConfigurationException, SAXException {
    List<String> options = new ArrayList<>(List.of(args));
    boolean rehearsal = options.remove("--rehearsal");
    boolean signed = options.remove("--signed");
    int same = options.indexOf("--same");
    Path other = null;
    if (same >= 0 && same + 1 < options.size()) {
      options.remove(same);
      other = Path.of(options.remove(same));
    }
    if (options.size() > 1 || options.stream().anyMatch(o -> o.startsWith("-"))) {
      System.err.println(
          "usage: java .ci/Staging.java [--rehearsal] [--signed] [--same FOLDER] [FOLDER]");
      System.exit(2);
    }
    Path folder = options.isEmpty() ? Path.of("target", "staging") : Path.of(options.get(0));
    Staging staging = new Staging(folder, rehearsal);
    if (other == null) {
      staging.check(signed);
    } else {
      staging.compare(other);
    }
    staging.faults.forEach(fault -> System.out.println("FAULT " + fault));
    System.exit(staging.faults.isEmpty() ? 0 : 1);
  }

  private void fault(boolean isFault, String text) {
    if (isFault) {
      faults.add(text);
    }
  }

  private void check(boolean signed)
      throws IOException, ParserConfigurationException, SAXException {
    for (Path file : files(folder)) {
      if (file.toString().endsWith(".pom")) {
        poms.add(new Pom(file, parse(file)));
      }
    }
    fault(poms.isEmpty(), folder + " holds no pom");
    for (Pom pom : poms) {
      checkPlace(pom);
      checkElements(pom);
      checkVersions(pom);
      checkFiles(pom);
    }
    checkBom();
    for (Path file : files(folder)) {
      checkFile(file);
    }
    fault(signed && signatures < signable, signatures + " of " + signable + " files are signed");
    fault(
        !signed && signatures > 0 && signatures < signable,
        "either all files are signed or none, not " + signatures + " of " + signable);
    for (Pom pom : poms) {
      System.out.printf(
          "%-16s %s %s%n", pom.artifactId(), pom.version(), pom.isJar() ? "jar" : "pom");
    }
    System.out.printf(
        "%d artifacts, %d files, %s%n",
        poms.size(), signable, signatures == 0 ? "not signed" : "signed");
    if (rehearsal) {
      System.out.println("a rehearsal: snapshots and placeholders are allowed");
    }
  }

  /** The repository finds an artifact by its path. */
  private void checkPlace(Pom pom) {
    Path expected =
        folder
            .resolve(pom.first("groupId").replace('.', '/'))
            .resolve(pom.artifactId())
            .resolve(pom.version());
    fault(
        !pom.file.getParent().equals(expected),
        pom.file + " must be in " + expected + ", as its coordinates say");
    String name = BUILD.matcher(pom.file.getFileName().toString()).replaceAll("-SNAPSHOT");
    fault(
        !name.equals(pom.artifactId() + "-" + pom.version() + ".pom"),
        pom.file + " is not named by its coordinates");
  }

  private void checkElements(Pom pom) {
    for (String path : REQUIRED) {
      fault(pom.first(path).isEmpty(), pom.file + " has no " + path);
    }
    // A parent would have to be published, and merged before the elements can be seen.
    fault(!pom.all("parent").isEmpty(), pom.file + " has a parent");
    for (String path : List.of("repositories", "pluginRepositories", "distributionManagement")) {
      fault(!pom.all(path).isEmpty(), pom.file + " has " + path);
    }
    for (String path : REQUIRED) {
      String value = pom.first(path);
      fault(value.contains("${"), pom.file + ": " + path + " is not resolved: " + value);
      fault(
          !rehearsal && PLACEHOLDER.matcher(value).find(),
          pom.file + ": " + path + " is a placeholder: " + value);
    }
  }

  private void checkVersions(Pom pom) {
    fault(
        !rehearsal && pom.version().endsWith("-SNAPSHOT"),
        pom.file + " is a snapshot: " + pom.version());
    for (String path :
        List.of("dependencies/dependency", "dependencyManagement/dependencies/dependency")) {
      for (Element dependency : pom.all(path)) {
        String name = text(dependency, "groupId") + ":" + text(dependency, "artifactId");
        String version = text(dependency, "version").replace("${project.version}", pom.version());
        boolean ours = text(dependency, "groupId").equals(pom.first("groupId"));
        fault(
            version.isEmpty() || version.contains("${") || version.matches("[\\[(].*"),
            pom.file + ": " + name + " needs one version, got '" + version + "'");
        fault(
            ours && !version.equals(pom.version()),
            pom.file + ": " + name + " must be " + pom.version() + ", got " + version);
        fault(
            !ours && version.endsWith("-SNAPSHOT"),
            pom.file + " depends on a snapshot: " + name + " " + version);
        fault(
            ours
                && poms.stream()
                    .noneMatch(p -> p.artifactId().equals(text(dependency, "artifactId"))),
            pom.file + " depends on " + name + ", which is not staged");
      }
    }
  }

  private void checkFiles(Pom pom) throws IOException {
    for (String suffix : pom.isJar() ? BESIDE_A_JAR : List.<String>of()) {
      Path file = Path.of(pom.stem() + suffix);
      fault(!Files.exists(file) || Files.size(file) == 0, file + " is missing or empty");
    }
  }

  private void checkBom() {
    Set<String> managed = new TreeSet<>();
    Set<String> staged = new TreeSet<>();
    for (Pom pom : poms) {
      if (pom.isJar()) {
        staged.add(pom.artifactId());
      } else if (pom.artifactId().equals(BOM)) {
        pom.all("dependencyManagement/dependencies/dependency")
            .forEach(dependency -> managed.add(text(dependency, "artifactId")));
      }
    }
    fault(!managed.equals(staged), BOM + " names " + managed + ", staged are " + staged);
  }

  /** Checksums and signature of one file; those of metadata are the repository's own. */
  private void checkFile(Path file) throws IOException {
    String name = file.toString();
    if (file.getFileName().toString().startsWith("maven-metadata")) {
      return;
    }
    for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
      if (name.endsWith(checksum.getKey())) {
        return;
      }
    }
    boolean isSignature = name.endsWith(".asc");
    fault(
        poms.stream().noneMatch(pom -> name.startsWith(pom.stem())),
        name + " belongs to no staged pom");
    for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
      Path beside = Path.of(name + checksum.getKey());
      if (Files.exists(beside)) {
        String expected = digest(file, checksum.getValue());
        String found = Files.readString(beside).strip();
        fault(!found.equals(expected), beside + " must be " + expected + ", got " + found);
      } else {
        fault(
            !isSignature && REQUIRED_CHECKSUMS.contains(checksum.getKey()), beside + " is missing");
      }
    }
    if (isSignature) {
      fault(
          !Files.readString(file).startsWith("-----BEGIN PGP SIGNATURE-----"),
          name + " is no armored signature");
    } else {
      signable++;
      signatures += Files.exists(Path.of(name + ".asc")) ? 1 : 0;
    }
  }

  private void compare(Path other) throws IOException {
    Map<String, Path> ours = built(folder);
    Map<String, Path> theirs = built(other);
    Set<String> names = new TreeSet<>(ours.keySet());
    names.addAll(theirs.keySet());
    fault(names.isEmpty(), folder + " and " + other + " hold no files");
    int equal = 0;
    for (String name : names) {
      Path one = ours.get(name);
      Path two = theirs.get(name);
      if (one == null || two == null) {
        fault(true, name + " is only in " + (one == null ? other : folder));
      } else if (Files.mismatch(one, two) >= 0) {
        fault(true, name + " differs from byte " + Files.mismatch(one, two) + " on");
      } else {
        System.out.println(digest(one, "SHA-256") + "  " + name);
        equal++;
      }
    }
    System.out.printf("%d of %d files are the same%n", equal, names.size());
  }

  /** What a build determines: no signatures, which have a time, and no metadata. */
  private static Map<String, Path> built(Path folder) throws IOException {
    Map<String, Path> built = new TreeMap<>();
    for (Path file : files(folder)) {
      String name = file.getFileName().toString();
      if (name.matches(".*\\.(pom|jar|json|xml)") && !name.startsWith("maven-metadata")) {
        built.put(BUILD.matcher(folder.relativize(file).toString()).replaceAll("-SNAPSHOT"), file);
      }
    }
    return built;
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " is no folder; mvn -Prelease -DskipTests deploy makes one");
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Element parse(Path file)
      throws IOException, ParserConfigurationException, SAXException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(Files.readAllBytes(file)))
        .getDocumentElement();
  }

  private static String text(Element element, String name) {
    return elements(element, name).stream()
        .map(e -> e.getTextContent().strip())
        .findFirst()
        .orElse("");
  }

  /** The elements at a path of names below an element. */
  private static List<Element> elements(Element element, String path) {
    List<Element> found = List.of(element);
    for (String name : Arrays.asList(path.split("/"))) {
      List<Element> below = new ArrayList<>();
      for (Element parent : found) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
          if (node instanceof Element child && child.getTagName().equals(name)) {
            below.add(child);
          }
        }
      }
      found = below;
    }
    return found;
  }

  private static String digest(Path file, String algorithm) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
