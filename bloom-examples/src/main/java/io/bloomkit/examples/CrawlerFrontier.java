package io.bloomkit.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Crawls a web site and visits each page once. The crawler does not know how many pages there are,
 * so it keeps the URLs that it has seen in a filter that grows. The site runs on the HTTP server of
 * the JDK, on loopback, and counts the requests for each page.
 *
 * <p>A false positive is a page that the crawler skips. The false-positive rate of a growing filter
 * is bounded for any number of pages. Choose the share of pages that may be skipped as the bound.
 */
final class CrawlerFrontier {

  private static final Pattern LINK = Pattern.compile("href=\"([^\"]+)\"");
  private static final int ABSENT = 500_000;
  private static final double FPP = 0.001;

  private final AtomicIntegerArray requests; // written by the threads of the server
  private final AtomicInteger links = new AtomicInteger();

  private CrawlerFrontier(int pages) {
    requests = new AtomicIntegerArray(pages);
  }

  static void run(int pages, Path folder, Report report) throws Exception {
    CrawlerFrontier example = new CrawlerFrontier(pages);
    // Avoids a delay of 40 ms per response: the server sends header and body in separate packets.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.createContext("/", example::serve);
    server.start();
    try {
      String host = loopback.getHostAddress() + ":" + server.getAddress().getPort();
      example.crawl(URI.create("http://" + host + "/0"), report);
    } finally {
      server.stop(0);
    }
  }

  private void crawl(URI start, Report report) throws Exception {
    ScalableBloomFilter<String> seen = // starts with a layer for 100 URLs, and adds layers
        ScalableBloomFilter.create(HashStrategies.utf8(), 100, FPP);
    Queue<URI> frontier = new ArrayDeque<>();
    seen.add(start.toString());
    frontier.add(start);
    HttpClient client = HttpClient.newHttpClient();
    long began = System.nanoTime();
    while (!frontier.isEmpty()) {
      URI page = frontier.remove();
      HttpRequest request = HttpRequest.newBuilder(page).build();
      String html = client.send(request, BodyHandlers.ofString()).body();
      for (MatchResult link : LINK.matcher(html).results().toList()) {
        URI target = page.resolve(link.group(1));
        if (seen.add(target.toString())) { // certainly new
          frontier.add(target);
        }
      }
    }
    report.timed("pages visited", requestCounts().filter(n -> n > 0).count(), began);
    report.line("links followed", "%,d", links.get());
    report.line("pages visited twice", "%d", requestCounts().filter(n -> n > 1).count());
    report.line(
        "pages skipped",
        "%d of %,d, at most %.1f expected",
        requestCounts().filter(n -> n == 0).count(),
        requests.length(),
        FPP * requests.length());
    long positive = 0;
    for (int i = 0; i < ABSENT; i++) {
      positive += seen.mightContain(start.resolve("/absent/" + i).toString()) ? 1 : 0;
    }
    report.falsePositives("false positives, random port", positive, ABSENT, seen.expectedFpp());
    report.line(
        "layers, memory of the filter", "%d, %,d bytes", seen.layerCount(), seen.memoryBytes());
  }

  private IntStream requestCounts() {
    return IntStream.range(0, requests.length()).map(requests::get);
  }

  /** Responds with a page of ten links: two to its child pages and eight to random pages. */
  private void serve(HttpExchange exchange) throws IOException {
    int page = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
    requests.incrementAndGet(page);
    SplittableRandom random = new SplittableRandom(page);
    StringBuilder html = new StringBuilder("<!DOCTYPE html><title>Page " + page + "</title>");
    for (int i = 0; i < 10; i++) {
      int target = i < 2 ? 2 * page + 1 + i : random.nextInt(requests.length());
      if (target < requests.length()) {
        html.append("<a href=\"/").append(target).append("\">Page</a>");
        links.incrementAndGet();
      }
    }
    byte[] bytes = html.toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
