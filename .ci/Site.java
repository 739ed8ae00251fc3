import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks the site that {@code mvn -Psite -DskipTests site} builds. Each link leads to a file in it and, after a {@code
 * #}, to a place in that file; addresses elsewhere are not opened. Run in the top folder: {@code java .ci/Site.java}.
 *
 * <p>{@code --anchors FOLDER} is for that build: it gives each heading of the Markdown pages in a folder the anchor by
 * which other viewers of Markdown know it, since Doxia names headings differently.
 */
public final class Site {

  private static final Path SITE = Path.of("target", "site");
  private static final Pattern LINK = Pattern.compile("<(?:a|link|img|script)\\b[^>]*?\\b(?:href|src)=\"([^\"]+)\"");
  private static final Pattern PLACE = Pattern.compile("\\b(?:id|name)=\"([^\"]+)\"");

  private static final Map<Path, List<String>> PLACES = new TreeMap<>();

  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 2 && arguments[0].equals("--anchors")) {
      for (Path page : files(Path.of(arguments[1]), ".md")) {
        Files.writeString(page, withAnchors(Files.readString(page)));
      }
    } else if (arguments.length == 0) {
      List<Path> pages = files(SITE, ".html");
      System.exit(checkLinks(pages) && !pages.isEmpty() ? 0 : 1);
    } else {
      System.err.println("usage: java .ci/Site.java [--anchors FOLDER]");
      System.exit(2);
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static String withAnchors(String page) {
    StringBuilder text = new StringBuilder();
    boolean isCode = false;
    for (String line : page.split("\n")) {
      isCode ^= line.startsWith("```");
      if (!isCode && line.matches("##+ .*")) {
        String heading = line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT);
        String anchor = heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        text.append("<a id=\"").append(anchor).append("\"></a>\n\n");
      }
      text.append(line).append('\n');
    }
    return text.toString();
  }

  private static boolean checkLinks(List<Path> pages) throws IOException {
    int links = 0;
    TreeSet<String> broken = new TreeSet<>();
    for (Path page : pages) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        String target = unescaped(link.group(1));
        if (!Pattern.matches("(?i)[a-z]+:.*|//.*", target)) {
          links++;
          if (!leadsSomewhere(page, target)) {
            broken.add(SITE.relativize(page) + ": " + target);
          }
        }
      }
    }
    System.out.printf("%,d pages, %,d links, %,d broken%n", pages.size(), links, broken.size());
    broken.forEach(System.out::println);
    return broken.isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(decoded(parts[0].replaceFirst("\\?.*", ""))).normalize();
    if (Files.isDirectory(file)) {
      file = file.resolve("index.html");
    }
    boolean hasPlace = parts.length == 2 && !parts[1].isEmpty() && file.toString().endsWith(".html");
    return Files.exists(file) && (!hasPlace || places(file).contains(decoded(parts[1])));
  }

  private static List<String> places(Path page) throws IOException {
    if (!PLACES.containsKey(page)) {
      PLACES.put(
          page, PLACE.matcher(Files.readString(page)).results().map(it -> unescaped(it.group(1))).toList());
    }
    return PLACES.get(page);
  }

  private static String unescaped(String text) {
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
