package io.bloomkit.cli.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomkit.cli.text.Arguments;
import io.bloomkit.format.FilterFile;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;

/**
 * The strategy of a filter in a file, and a value of {@code --strategy}. {@link #BYTES} and {@link
 * #UTF8} differ in the type of the elements in Java and therefore in their ids, but their hashes
 * are equal.
 */
final class LineStrategy {

  private static final BytesHashStrategy XXH3 = HashStrategies.bytes();

  /** Lines as byte arrays. */
  static final LineStrategy BYTES =
      new LineStrategy(
          "bytes",
          ValueType.BYTES,
          HashStrategies.bytes(),
          LineStrategy::hashOfBytes,
          GuavaFunnel.byteArrays());

  /** Lines as texts. */
  static final LineStrategy UTF8 =
      new LineStrategy(
          "utf8",
          ValueType.BYTES,
          HashStrategies.utf8(),
          LineStrategy::hashOfBytes,
          GuavaFunnel.utf8Bytes());

  private static final List<LineStrategy> OFFERED =
      List.of(BYTES, UTF8, ofLongs("longs", HashStrategies.longs()));

  private static final List<LineStrategy> KNOWN =
      Stream.concat(
              OFFERED.stream(),
              Stream.of(ofLongs("longs(xxh3)", HashStrategies.longs(HashStrategies.bytes()))))
          .toList();

  /** The ids of strategies that contrib/bloomkit.py has. */
  private static final Pattern OF_PYTHON =
      Pattern.compile(
          "(on\\([\\w.-]+=)?(xxh3|siphash24|(utf8|longs|uuids)\\((xxh3|siphash24|rrmxmx)\\))\\)?"
              + "|guava-(ints|unencodedChars)");

  private final String name;
  private final ValueType type;
  private final HashStrategy<?> strategy;
  private final LineHash hash;
  private final GuavaFunnel<Object> funnel;

  @SuppressWarnings("unchecked") // the type creates elements for the funnel
  private LineStrategy(
      String name, ValueType type, HashStrategy<?> strategy, LineHash hash, GuavaFunnel<?> funnel) {
    this.name = name;
    this.type = type;
    this.strategy = strategy;
    this.hash = hash;
    this.funnel = (GuavaFunnel<Object>) funnel;
  }

  private static LineStrategy ofLongs(String name, LongHashStrategy longs) {
    return new LineStrategy(
        name,
        ValueType.INT64,
        longs,
        (bytes, from, to) -> longs.hash((Long) ValueType.INT64.value(bytes, from, to)),
        GuavaFunnel.longs());
  }

  private static long hashOfBytes(byte[] bytes, int from, int to) {
    return XXH3.hashBytes(bytes, from, to - from);
  }

  /**
   * Checks that a line stands for an element, so that Java finds it again.
   *
   * @throws IllegalArgumentException if the elements are texts and the line is not UTF-8
   */
  void requireElement(byte[] bytes, int from, int to) {
    int ascii = this == UTF8 ? from : to;
    while (ascii < to && bytes[ascii] >= 0) {
      ascii++;
    }
    if (ascii < to) {
      ByteBuffer rest = ByteBuffer.wrap(bytes, ascii, to - ascii);
      CharBuffer text = CharBuffer.allocate(to - ascii);
      if (UTF_8.newDecoder().decode(rest, text, true).isError()) {
        throw new IllegalArgumentException(
            String.format(
                "not UTF-8 from its byte %d, 0x%02x; convert it, such as by iconv, or build the"
                    + " filter with --strategy bytes",
                rest.position() - from + 1, bytes[rest.position()]));
      }
    }
  }

  /** Returns the strategy that filled a filter, or an empty result if its elements are no lines. */
  static Optional<LineStrategy> known(FilterFile file) {
    return KNOWN.stream()
        .filter(strategy -> strategy.identity(file.code()).equals(file.strategy()))
        .findFirst();
  }

  /**
   * Returns the strategy that filled a filter. If its elements are no lines, it refuses to hash.
   *
   * @throws IOException if the filter is one of Guava with an unknown funnel
   */
  static LineStrategy of(FilterFile file) throws IOException {
    Optional<LineStrategy> known = known(file);
    if (known.isPresent()) {
      return known.get();
    }
    StrategyIdentity identity = file.strategy();
    HashStrategy<Object> unknown = file.opaqueStrategy();
    GuavaFunnel<?> funnel =
        file.code() == GuavaBloomFilter.CODE ? funnel(identity) : GuavaFunnel.byteArrays();
    return new LineStrategy(
        identity.id(),
        ValueType.BYTES,
        unknown,
        (bytes, from, to) -> unknown.hash(bytes), // throws
        funnel);
  }

  private static GuavaFunnel<?> funnel(StrategyIdentity identity) throws IOException {
    return Stream.concat(
            Stream.of(GuavaFunnel.ints(), GuavaFunnel.unencodedChars()),
            Charset.availableCharsets().values().stream()
                .filter(Charset::canEncode)
                .map(GuavaFunnel::strings))
        .filter(funnel -> funnel.identity().equals(identity))
        .findFirst()
        .orElseThrow(() -> new IOException("this command does not have the funnel " + identity));
  }

  /**
   * Returns the option that builds filters with the strategy of a filter, or else its id, with the
   * fingerprint if a known strategy has that id.
   */
  static String described(FilterFile file) {
    String id = file.strategy().id();
    Optional<LineStrategy> known = known(file);
    if (known.filter(OFFERED::contains).isPresent()) {
      return "--strategy " + known.get();
    }
    boolean isImitation =
        known.isEmpty() && KNOWN.stream().anyMatch(s -> s.identity(file.code()).id().equals(id));
    return "the strategy " + (isImitation ? file.strategy() : id);
  }

  /** Returns what queries a filter whose elements are no lines. */
  static String otherReaders(FilterFile file) {
    String id = file.strategy().id();
    boolean isImitation = KNOWN.stream().anyMatch(s -> s.identity(file.code()).id().equals(id));
    return isImitation || !OF_PYTHON.matcher(id).matches()
        ? "query and update it in Java"
        : "query it by contrib/bloomkit.py"
            + (id.contains("siphash24") ? " --key-file" : "")
            + " or in Java, and update it in Java";
  }

  /** Returns the identity of this strategy in files of a kind, given by its code. */
  private StrategyIdentity identity(int code) {
    return code == GuavaBloomFilter.CODE ? funnel.identity() : StrategyIdentity.of(strategy);
  }

  /** Returns what a line stands for. */
  ValueType type() {
    return type;
  }

  /** Returns the strategy of the filter in Java. */
  HashStrategy<?> strategy() {
    return strategy;
  }

  /** Returns the hash of {@link #strategy} for lines. */
  LineHash hash() {
    return hash;
  }

  /** Returns the equivalent funnel for filters of Guava, whose elements are of {@link #type}. */
  GuavaFunnel<Object> funnel() {
    return funnel;
  }

  /** Returns the name on the command line, or the id of a strategy that has none. */
  @Override
  public String toString() {
    return name;
  }

  /** Parses the name of a strategy on the command line. */
  static final class Converter implements ITypeConverter<LineStrategy> {

    @Override
    public LineStrategy convert(String value) {
      return Arguments.choice(OFFERED, value);
    }
  }

  /** The names of all strategies on the command line, for completion. */
  static final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return OFFERED.stream().map(LineStrategy::toString).iterator();
    }
  }
}
