package io.bloomkit.cli.pages;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Serves the two pages and the reader as the site has them, on a port of this machine. */
final class PageServer implements AutoCloseable {

  private final HttpServer server;
  private final Set<String> requested = new ConcurrentSkipListSet<>();

  PageServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath().substring(1);
          requested.add(path);
          Path file =
              path.equals("bloomkit.mjs") ? PageScripts.READER : PageScripts.PAGES.resolve(path);
          if (Files.isRegularFile(file)) {
            byte[] bytes = Files.readAllBytes(file);
            exchange.getResponseHeaders().set("Content-Type", type(path));
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          } else {
            exchange.sendResponseHeaders(404, -1);
          }
          exchange.close();
        });
    server.start();
  }

  private static String type(String path) {
    return switch (path.substring(path.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css";
      case "js", "mjs" -> "text/javascript; charset=utf-8";
      default -> "application/octet-stream";
    };
  }

  URI page(String name) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + name);
  }

  /** Returns the files that were requested, all of this server. */
  Set<String> requested() {
    return requested;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
