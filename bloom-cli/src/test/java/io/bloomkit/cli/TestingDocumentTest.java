package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.testkit.hash.HashStrategyContract;
import io.bloomkit.testkit.hash.Verdict;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the code and the commands by which docs/testing.md tests a hash. */
class TestingDocumentTest {

  private static final Pattern TYPE = Pattern.compile("(?m)^(?:final )?(?:class|record) (\\w+)");

  /** A command and, in the next block, what it prints; "…" stands for lines left out. */
  private static final Pattern RUN =
      Pattern.compile("(?s)```sh\nbloom examine ([^\n]*)\n```\n\n```text\n(.*?)```");

  private static final String LEFT_OUT = "…";

  @TempDir static Path folder;

  private static Markdown document;
  private static String imports;
  private static Sources sources;

  @BeforeAll
  static void compileTheTypes() throws IOException {
    document = new Markdown("docs/testing.md").section("Test your hash");
    imports = document.imports() + "import java.util.*;\n";
    sources = new Sources(folder);
    for (String block : document.blocks("java")) {
      Matcher type = TYPE.matcher(block);
      if (type.find()) {
        sources.compile(type.group(1), imports + block);
      }
    }
  }

  @Tag("deep")
  @TestFactory
  Stream<DynamicTest> theCommandsPrintWhatIsShown() {
    return RUN.matcher(document.text())
        .results()
        .map(run -> DynamicTest.dynamicTest(run.group(1), () -> check(run.group(1), run.group(2))));
  }

  private static void check(String command, String excerpt) throws IOException {
    Path plot = folder.resolve("plot.png");
    String[] arguments =
        command
            .replace("orders.jar", folder.toString())
            .replaceFirst("--plot \\S+", Matcher.quoteReplacement("--force --plot " + plot))
            .split(" ");
    ExamineRun run = ExamineRun.of(arguments);
    assertEquals("", run.err());
    Iterator<String> printed = run.out().lines().iterator();
    for (String line : excerpt.lines().filter(line -> !line.equals(LEFT_OUT)).toList()) {
      boolean isFound = false;
      while (!isFound && printed.hasNext()) {
        isFound = printed.next().equals(line);
      }
      assertTrue(isFound, () -> line + " is not in: " + run.out());
    }
    assertNotNull(ImageIO.read(plot.toFile()));
  }

  @Test
  void theWalkLeadsFromUnfitToFit() {
    List<String> verdicts =
        RUN.matcher(document.text())
            .results()
            .map(run -> run.group(2).strip().replaceFirst("(?s).*Verdict: ([A-Z]+).*", "$1"))
            .toList();
    assertEquals(List.of("UNFIT", "WEAK", "FIT"), verdicts);
  }

  @Test
  void everyPictureIsThereAndIsMadeByACommand() throws IOException {
    List<String> pictures =
        Pattern.compile("!\\[[^\\]]*\\]\\(([^)]*)\\)")
            .matcher(document.text())
            .results()
            .map(picture -> "docs/" + picture.group(1))
            .toList();
    assertEquals(
        pictures,
        Pattern.compile("--plot (\\S+)")
            .matcher(document.text())
            .results()
            .map(plot -> plot.group(1))
            .toList());
    for (String picture : pictures) {
      Path file = Path.of("..").resolve(picture);
      assertNotNull(ImageIO.read(file.toFile()), picture);
      assertTrue(Files.size(file) < 150_000, picture);
    }
  }

  @Test
  @Tag("deep")
  void theTestClassIsAContractForTheFitStrategy() throws Exception {
    Constructor<?> constructor = sources.load("MixedOrdersTest").getDeclaredConstructor();
    constructor.setAccessible(true);
    HashStrategyContract<?> contract = (HashStrategyContract<?>) constructor.newInstance();
    assertEquals("OrderId[shop=7, number=1]", contract.element(0x107).toString());
    assertEquals(Verdict.FIT, contract.examination().run().verdict());
  }

  @Tag("deep")
  @Test
  void theCallDoesWhatItsCommentsSay() throws Exception {
    List<String> calls =
        document.blocks("java").stream().filter(block -> !TYPE.matcher(block).find()).toList();
    assertEquals(1, calls.size());
    assertEquals(
        Map.of("verdict", Verdict.UNFIT, "isFit", false, "hasFindings", true),
        run(
            "Call",
            calls.get(0),
            "\"verdict\", verdict, \"isFit\", isFit," + " \"hasFindings\", !findings.isEmpty()"));
  }

  private static Object run(String name, String statements, String results) throws Exception {
    // The types are not public, so their loader must be that of the class that uses them.
    return sources
        .compile(
            name,
            imports
                + "public class "
                + name
                + " { public static Map<String, Object> run() {\n"
                + statements
                + "\nreturn Map.of("
                + results
                + "); } }")
        .load(name)
        .getMethod("run")
        .invoke(null);
  }
}
