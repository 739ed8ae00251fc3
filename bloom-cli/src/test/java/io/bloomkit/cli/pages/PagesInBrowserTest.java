package io.bloomkit.cli.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uses the site's two pages in a browser, and takes the pictures of the documents. */
@EnabledIf(value = "isInstalled", disabledReason = "Chromium is not on the PATH")
class PagesInBrowserTest {

  private static final Path PICTURES = Path.of("target", "pictures");

  /** The browser may still write to its profile while it ends. */
  @TempDir(cleanup = CleanupMode.NEVER)
  private static Path profile;

  @TempDir private Path folder;

  private static PageServer server;
  private static Chromium browser;

  static boolean isInstalled() {
    return Chromium.installed().isPresent();
  }

  @BeforeAll
  static void start() throws Exception {
    server = new PageServer();
    browser = new Chromium(profile);
  }

  @AfterAll
  static void end() {
    browser.close();
    server.close();
  }

  @BeforeEach
  void resetWindow() throws Exception {
    browser.resize(1_000, 900);
    browser.setColours("light");
  }

  private Path build(String lines, Object... options) {
    Path file = folder.resolve("sessions.bloom");
    Object[] words = {"build", "--items", 1_000, "--fpp", 0.001, "--output", file};
    Object[] all = new Object[words.length + options.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(options, 0, all, words.length, options.length);
    CommandRun.succeed(lines, all);
    return file;
  }

  /** Presses the tabulator until an element has the focus. */
  private static void tabTo(String selector) throws Exception {
    for (int i = 0; i < 60; i++) {
      if (browser.evaluate("document.activeElement.matches('" + selector + "')").equals("true")) {
        return;
      }
      browser.press("Tab");
    }
    throw new AssertionError("the focus does not reach " + selector);
  }

  @Test
  void theCalculatorAnswersToTheKeyboard() throws Exception {
    browser.open(server.page("calculator.html"));
    assertEquals("BlockedBloomFilter", browser.text("#name"));
    tabTo("#items");
    browser.type("20,000"); // replaces the text, which the tabulator has selected
    tabTo("#fpp");
    browser.type("0.1 %");
    tabTo("#needs input[value=remove]");
    browser.press("Space");
    assertEquals("DynamicCuckooFilter", browser.text("#name"));
    assertTrue(browser.text("#java").contains("20_000, 0.001"), browser.text("#java"));
    tabTo("#fill");
    browser.press("ArrowRight");
    assertTrue(browser.text("#at").startsWith("105 %, 21,000 elements: 0.1"), browser.text("#at"));
    tabTo("#rows input");
    browser.press("ArrowDown");
    assertEquals("ExpiringCuckooFilter", browser.text("#name"));
    assertTrue(browser.text("#bloom").contains("--window 1h"), browser.text("#bloom"));
    String focus = browser.evaluate("document.activeElement.value");
    assertEquals("expiring-cuckoo", focus); // although the table was made anew
  }

  @Test
  void anAddressKeepsThePlan() throws Exception {
    browser.open(server.page("calculator.html#items=5000&fpp=0.02&needs=expire,threads"));
    assertEquals("ExpiringCuckooFilter", browser.text("#name"));
    assertEquals("5,000", browser.evaluate("document.getElementById('items').value"));
  }

  @ParameterizedTest
  @CsvSource({
    "'items=0&fpp=0.01', The number must be whole",
    "'items=10&fpp=1', The rate must be above 0",
    "'items=10&fpp=0.01&needs=count,expire', No filter both counts"
  })
  void impossiblePlansAreRefused(String plan, String message) throws Exception {
    browser.open(server.page("calculator.html#" + plan));
    assertTrue(browser.text("#error").startsWith(message), browser.text("#error"));
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 1_000})
  void noPageIsWiderThanItsWindow(int width) throws Exception {
    Path file = build("alice\n");
    browser.resize(width, 900);
    for (String page : new String[] {"calculator.html", "inspect.html"}) {
      browser.open(server.page(page));
      if (page.startsWith("inspect")) {
        browser.await("!document.getElementById('file').disabled");
        browser.choose("#file", file);
        browser.await("!document.getElementById('found').hidden");
      }
      String actual = browser.evaluate("document.documentElement.scrollWidth");
      assertEquals(String.valueOf(width), actual, page);
    }
  }

  /** The least contrast of a text with its ground, by the formula of WCAG 2. */
  private static final String MIN_CONTRAST =
      """
      (() => {
        const canvas = document.createElement("canvas").getContext("2d");
        const channels = (colour, under) => {
          canvas.fillStyle = under;
          canvas.fillRect(0, 0, 1, 1);
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const luminance = (rgb) => {
          const [r, g, b] = rgb.map((value) => {
            const share = value / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const groundOf = (node) => {
          const under = node.parentElement ? groundOf(node.parentElement) : "white";
          const rgb = channels(getComputedStyle(node).backgroundColor, under);
          return `rgb(${rgb.join(",")})`;
        };
        let least = 21;
        for (const node of document.querySelectorAll("body *")) {
          const hasText = [...node.childNodes].some((it) => it.nodeType === 3 && it.data.trim());
          if (hasText && node.getClientRects().length > 0 && !node.closest("svg, noscript")) {
            const ground = groundOf(node);
            const a = luminance(channels(getComputedStyle(node).color, ground));
            const b = luminance(channels(ground, "white"));
            least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
          }
        }
        return least;
      })()
      """;

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void textsStandOutInBothColours(String scheme) throws Exception {
    browser.setColours(scheme);
    Path file = build("alice\n");
    browser.open(server.page("calculator.html#items=1000&fpp=0.01&needs=remove"));
    assertTrue(Double.parseDouble(browser.evaluate(MIN_CONTRAST)) >= 4.5);
    browser.open(server.page("inspect.html"));
    browser.await("!document.getElementById('file').disabled");
    browser.choose("#file", file);
    browser.await("!document.getElementById('found').hidden");
    assertTrue(Double.parseDouble(browser.evaluate(MIN_CONTRAST)) >= 4.5);
    String ground = "getComputedStyle(document.body).backgroundColor";
    assertEquals(
        scheme.equals("light") ? "rgb(255, 255, 255)" : "rgb(20, 25, 31)",
        browser.evaluate(ground));
  }

  @Test
  void aFileIsShownAndQueriedByTheKeyboard() throws Exception {
    Path file = build("bob\nalice\nbob\n");
    browser.open(server.page("inspect.html"));
    browser.await("!document.getElementById('file').disabled");
    tabTo("#file");
    browser.choose("#file", file);
    browser.await("!document.getElementById('query').hidden");
    assertEquals("DynamicCuckooFilter in sessions.bloom", browser.text("#kind"));
    String facts = browser.text("#facts");
    assertTrue(facts.contains("1,000 elements at 0.1 %"), facts);
    assertTrue(facts.contains("right"), facts);
    tabTo("#elements");
    browser.type("bob\nalice\ncarol");
    assertEquals(
        "bob probably in the set, 2 ×|alice probably in the set, 1 ×|carol not in the set",
        browser.evaluate(
            "[...document.querySelectorAll('#answers li')]"
                + ".map((it) => it.innerText.replace(/\\s+/g, ' ')).join('|')"));
  }

  /** Drops a file with some bytes on the page. */
  private static void drop(String bytes) throws Exception {
    browser.evaluate(
        """
        (() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(%s)], "dropped.bloom"));
          document.getElementById("drop").dispatchEvent(
            new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        })()
        """
            .formatted(bytes));
  }

  @Test
  void aFileCanBeDropped() throws Exception {
    byte[] bytes = Files.readAllBytes(build("alice\n", "--kind", "classic"));
    browser.open(server.page("inspect.html"));
    browser.await("!document.getElementById('file').disabled");
    drop(Arrays.toString(bytes));
    browser.await("!document.getElementById('query').hidden");
    assertEquals("ClassicBloomFilter in dropped.bloom", browser.text("#kind"));
    bytes[bytes.length - 10] ^= 1;
    drop(Arrays.toString(bytes));
    browser.await("!document.getElementById('error').hidden");
    assertTrue(browser.text("#error").contains("checksum is another"), browser.text("#error"));
    assertEquals("true", browser.evaluate("document.getElementById('query').hidden"));
  }

  @Test
  void nothingIsRequestedButThePagesThemselves() throws Exception {
    browser.open(server.page("calculator.html"));
    browser.open(server.page("inspect.html"));
    browser.await("!document.getElementById('file').disabled");
    assertEquals(
        Set.of(
            "bloomkit.mjs",
            "calculator.html",
            "css/pages.css",
            "inspect.html",
            "js/calculator.js",
            "js/inspect.js",
            "js/sizes.js"),
        server.requested());
    assertEquals(
        "true",
        browser.evaluate(
            "performance.getEntriesByType('resource').every((it) =>"
                + " it.name.startsWith(location.origin) || it.name.startsWith('data:'))"));
  }

  @Test
  void theCalculatorNeedsNoServer() throws Exception {
    browser.open(PageScripts.PAGES.resolve("calculator.html").toAbsolutePath().normalize().toUri());
    assertEquals("BlockedBloomFilter", browser.text("#name"));
    browser.open(PageScripts.PAGES.resolve("inspect.html").toAbsolutePath().normalize().toUri());
    browser.await("!document.getElementById('error').hidden");
    assertTrue(browser.text("#error").contains("only from a web server"), browser.text("#error"));
  }

  @Test
  void picturesAreTaken() throws Exception {
    browser.resize(960, 1_160);
    browser.open(server.page("calculator.html#items=1000000&fpp=0.01&needs=remove,threads"));
    browser.screenshot(PICTURES.resolve("calculator.png"));
    browser.resize(960, 970);
    Path file = build("alice\nbob\nalice\n");
    browser.open(server.page("inspect.html"));
    browser.await("!document.getElementById('file').disabled");
    browser.choose("#file", file);
    browser.await("!document.getElementById('query').hidden");
    browser.evaluate("document.getElementById('elements').focus()");
    browser.type("alice\nmallory");
    browser.screenshot(PICTURES.resolve("inspect.png"));
    browser.setColours("dark");
    browser.resize(360, 1_900);
    browser.screenshot(PICTURES.resolve("inspect-narrow.png"));
    browser.open(server.page("calculator.html#items=1000000&fpp=0.01&needs=expire"));
    browser.screenshot(PICTURES.resolve("calculator-narrow.png"));
  }
}
