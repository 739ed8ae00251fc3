package io.bloomkit.cli.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium with one page, driven by its DevTools protocol. */
final class Chromium implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern ID = Pattern.compile("^\\{\"id\":(\\d+)");
  private static final Pattern SOCKET =
      Pattern.compile(
          "\"type\": ?\"page\".*?\"webSocketDebuggerUrl\": ?\"([^\"]+)\"", Pattern.DOTALL);

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger commands = new AtomicInteger();
  private final Map<Integer, CompletableFuture<String>> results = new ConcurrentHashMap<>();

  /** Returns the program on the PATH, if one is installed. */
  static Optional<Path> installed() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(name -> Arrays.stream(path.split(File.pathSeparator)).map(it -> Path.of(it, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts the browser with a new profile in a folder. */
  Chromium(Path profile) throws Exception {
    process =
        new ProcessBuilder(
                installed().orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox", // it refuses to run as root with one
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("output").toFile())
            .start();
    HttpClient client = HttpClient.newHttpClient();
    URI pages = URI.create("http://127.0.0.1:" + port(profile) + "/json/list");
    String list =
        client.send(HttpRequest.newBuilder(pages).build(), BodyHandlers.ofString()).body();
    Matcher page = SOCKET.matcher(list);
    assertTrue(page.find(), list);
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(page.group(1)), new Listener())
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    send("Page.enable", "");
  }

  /** Returns the port, which the browser writes into a file of its profile. */
  private String port(Path profile) throws Exception {
    Path file = profile.resolve("DevToolsActivePort");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
      if (lines.size() == 2) {
        return lines.get(0);
      }
      Thread.sleep(50);
    }
    throw new IOException("no browser: " + Files.readString(profile.resolve("output")));
  }

  private final class Listener implements WebSocket.Listener {

    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
      message.append(part);
      if (isLast) {
        Matcher id = ID.matcher(message);
        CompletableFuture<String> result =
            id.find() ? results.remove(Integer.valueOf(id.group(1))) : null;
        if (result != null) {
          result.complete(message.toString());
        }
        message.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Runs a command and returns its result, both in JSON. */
  private String send(String method, String parameters) throws Exception {
    int id = commands.incrementAndGet();
    CompletableFuture<String> result = new CompletableFuture<>();
    results.put(id, result);
    String command =
        "{\"id\":%d,\"method\":\"%s\",\"params\":{%s}}".formatted(id, method, parameters);
    socket.sendText(command, true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    String answer = result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertTrue(!answer.contains("\"error\":{") && !answer.contains("exceptionDetails"), answer);
    return answer;
  }

  private static String member(String json, String name) {
    Matcher member = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(json);
    assertTrue(member.find(), json);
    return member.group(1);
  }

  /** Evaluates an expression of JavaScript, or waits for its promise, and returns its text. */
  String evaluate(String expression) throws Exception {
    String source =
        "Promise.resolve(" + expression + ").then((it) => encodeURIComponent(String(it)))";
    String quoted = source.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    String answer =
        send(
            "Runtime.evaluate",
            "\"expression\":\"" + quoted + "\",\"awaitPromise\":true,\"returnByValue\":true");
    return URLDecoder.decode(member(answer, "value").replace("+", "%2B"), UTF_8);
  }

  /** Returns the text of the first element that a selector of CSS finds. */
  String text(String selector) throws Exception {
    return evaluate("document.querySelector('" + selector + "').innerText");
  }

  /** Waits until an expression is true. */
  void await(String expression) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!evaluate(expression).equals("true")) {
      assertTrue(System.nanoTime() < end, expression);
      Thread.sleep(50);
    }
  }

  /** Opens a page and waits until its scripts have run. */
  void open(URI page) throws Exception {
    send(
        "Page.navigate", "\"url\":\"about:blank\""); // an address that differs only after # reloads
    await("location.href === 'about:blank'");
    send("Page.navigate", "\"url\":\"" + page + "\"");
    await("location.href !== 'about:blank' && document.readyState === 'complete'");
  }

  /** Sets the size of the window, in pixels of CSS. */
  void resize(int width, int height) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false"
            .formatted(width, height));
  }

  /** Sets the colours that the page is told to use: light or dark. */
  void setColours(String scheme) throws Exception {
    send(
        "Emulation.setEmulatedMedia",
        "\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}]");
  }

  /** Presses a key by its name, such as Tab, ArrowDown or Space. */
  void press(String key) throws Exception {
    Map<String, Integer> codes =
        Map.of("Tab", 9, "Enter", 13, "Space", 32, "ArrowRight", 39, "ArrowDown", 40);
    boolean isSpace = key.equals("Space");
    String common =
        "\"key\":\"%s\",\"code\":\"%s\",\"windowsVirtualKeyCode\":%d"
            .formatted(isSpace ? " " : key, key, codes.get(key));
    String text = isSpace ? ",\"text\":\" \"" : key.equals("Enter") ? ",\"text\":\"\\r\"" : "";
    send("Input.dispatchKeyEvent", "\"type\":\"keyDown\"," + common + text);
    send("Input.dispatchKeyEvent", "\"type\":\"keyUp\"," + common);
  }

  /** Types a text where the focus is. */
  void type(String text) throws Exception {
    send("Input.insertText", "\"text\":\"" + text.replace("\n", "\\n") + "\"");
  }

  /** Chooses a file in an input of the page. */
  void choose(String selector, Path file) throws Exception {
    String document = send("DOM.getDocument", "");
    String node =
        send(
            "DOM.querySelector",
            "\"nodeId\":%s,\"selector\":\"%s\"".formatted(member(document, "nodeId"), selector));
    send(
        "DOM.setFileInputFiles",
        "\"nodeId\":%s,\"files\":[\"%s\"]".formatted(member(node, "nodeId"), file));
  }

  /** Writes a picture of the top of the page in the window. */
  void screenshot(Path png) throws Exception {
    String picture = send("Page.captureScreenshot", "\"format\":\"png\"");
    Files.createDirectories(png.getParent());
    Files.write(png, Base64.getDecoder().decode(member(picture, "data")));
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "Chromium[pid=%d]", process.pid());
  }
}
