package io.bloomkit.cli.filter;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.durable.DurableContents;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.dcso.DcsoBloomFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import io.bloomkit.interop.parquet.ParquetShape;
import io.bloomkit.interop.parquet.ParquetStrategies;
import io.bloomkit.interop.spark.SparkBloomFilter;
import io.bloomkit.interop.spark.SparkType;
import io.bloomkit.interop.spark.SparkVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * A kind of file that the command reads and writes, and a value of {@code --kind}: an installed
 * {@link FilterKind}, or a format of another library, which has no 64-bit strategy or does not
 * record it.
 */
public final class FileKind {

  /** Guava's filter in this library's format. */
  static final FileKind BLOOMKIT_GUAVA = ofGuava("bloomkit-guava");

  /** Guava's filter in Guava's bytes. */
  static final FileKind GUAVA = ofGuava("guava");

  /** A Bloom filter of DCSO's {@code bloom}. */
  static final FileKind DCSO =
      new FileKind(
          "dcso",
          false,
          DcsoBloomFilter::layout,
          (strategy, items, fpp) -> DcsoBloomFilter.create(items, fpp),
          (strategy, type, in) -> DcsoBloomFilter.readFrom(in),
          DcsoBloomFilter::merge);

  /** A Bloom filter of Parquet: its header and its bitset. */
  static final FileKind PARQUET =
      new FileKind(
          "parquet",
          false,
          (items, fpp) -> ParquetShape.of(items, fpp).layout(),
          (strategy, items, fpp) ->
              ParquetBloomFilter.create(ParquetStrategies.byteArray(), items, fpp),
          (strategy, type, in) -> ParquetBloomFilter.readFrom(in, parquetStrategy(type)),
          ParquetBloomFilter::merge);

  /** The filters that forget lines after a window. */
  static final FileKind EXPIRING = new FileKind(ExpiringCuckooFilter.KIND);

  /** Spark's {@code BloomFilterImpl}. */
  static final FileKind SPARK_V1 = ofSpark("spark-v1", SparkVersion.V1);

  /** Spark's {@code BloomFilterImplV2}. */
  static final FileKind SPARK_V2 = ofSpark("spark-v2", SparkVersion.V2);

  private static final List<FileKind> OF_OTHERS =
      List.of(BLOOMKIT_GUAVA, GUAVA, DCSO, PARQUET, SPARK_V1, SPARK_V2);

  /** The first byte of Parquet's header: in Thrift's encoding, an int as the first field. */
  private static final int PARQUET_START = 0x15;

  /** The largest strategy number, which is the first byte of Guava's format. */
  private static final int MAX_GUAVA_STRATEGY = 1;

  /** The number of bytes at the beginning of a file that distinguish formats of others. */
  static final int START_BYTES = 4;

  /** Plans a filter. */
  private interface Planner {
    FilterLayout layout(long items, double fpp);
  }

  /** Creates a filter. */
  private interface Creator<F> {
    F create(LineStrategy strategy, long items, double fpp);
  }

  /** Reads a filter. */
  private interface Reader<F> {
    F read(LineStrategy strategy, ValueType type, InputStream in) throws IOException;
  }

  private final String name;
  private final boolean isConcurrent;
  private final Planner planner;
  private final Creator<LineFilter> creator;
  private final Reader<LineFilter> reader;
  private final @Nullable FilterKind installed;

  private <F extends InteropFilter<?>> FileKind(
      String name,
      boolean isConcurrent,
      Planner planner,
      Creator<? extends F> creator,
      Reader<? extends F> reader,
      BiConsumer<F, F> merger) {
    this.name = name;
    this.isConcurrent = isConcurrent;
    this.planner = planner;
    this.creator =
        (strategy, items, fpp) ->
            new InteropLineFilter<F>(
                this, strategy, strategy.type(), creator.create(strategy, items, fpp), merger);
    this.reader =
        (strategy, type, in) ->
            new InteropLineFilter<F>(
                this,
                strategy,
                recordsType() ? strategy.type() : type,
                reader.read(strategy, type, in),
                merger);
    this.installed = null;
  }

  /** Creates the kind of files of an installed kind. */
  FileKind(FilterKind installed) {
    this.name = installed.label();
    this.isConcurrent = installed.is(FilterKind.Trait.CONCURRENT);
    this.planner = installed::layout;
    this.creator =
        (strategy, items, fpp) -> HashedLineFilter.create(this, installed, strategy, items, fpp);
    this.reader = (strategy, type, in) -> HashedLineFilter.read(this, installed, strategy, in);
    this.installed = installed;
  }

  private static FileKind ofGuava(String name) {
    return new FileKind(
        name,
        true,
        GuavaBloomFilter::layout,
        (strategy, items, fpp) -> GuavaBloomFilter.create(strategy.funnel(), items, fpp),
        (strategy, type, in) -> GuavaBloomFilter.readFrom(in, strategy.funnel()),
        GuavaBloomFilter::merge);
  }

  private static FileKind ofSpark(String name, SparkVersion version) {
    return new FileKind(
        name,
        false,
        (items, fpp) -> SparkBloomFilter.layout(version, items, fpp),
        (strategy, items, fpp) -> SparkBloomFilter.create(version, SparkType.binary(), items, fpp),
        (strategy, type, in) -> SparkBloomFilter.readFrom(in, sparkType(name, type)),
        SparkBloomFilter::merge);
  }

  private static HashStrategy<?> parquetStrategy(ValueType type) {
    return switch (type) {
      case INT32 -> ParquetStrategies.int32();
      case INT64 -> ParquetStrategies.int64();
      case FLOAT -> ParquetStrategies.float32();
      case DOUBLE -> ParquetStrategies.float64();
      case BYTES, HEX -> ParquetStrategies.byteArray();
    };
  }

  private static SparkType<?> sparkType(String kind, ValueType type) {
    return switch (type) {
      case INT64 -> SparkType.longs();
      case BYTES, HEX -> SparkType.binary();
      default ->
          throw new IllegalArgumentException(
              "a "
                  + kind
                  + " filter does not support elements of type "
                  + type
                  + ": int64, bytes or hex");
    };
  }

  /**
   * Returns all kinds: first the installed ones in the order of their codes, then other formats.
   */
  public static List<FileKind> all() {
    return Stream.concat(FilterKind.installed().stream().map(FileKind::new), OF_OTHERS.stream())
        .toList();
  }

  /**
   * Returns the kind of a file in this library's format, or an empty result if this command does
   * not support it.
   */
  static Optional<FileKind> of(FilterFile file) {
    if (file.isDelta()) {
      return Optional.empty();
    }
    return file.code() == GuavaBloomFilter.CODE
        ? Optional.of(BLOOMKIT_GUAVA)
        : file.kind().map(FileKind::new);
  }

  /**
   * Returns the name of the kind of a filter, or of the filters of a delta, on the command line;
   * the name of the class if this command does not support it.
   */
  public static String name(FilterFile file) {
    return file.code() == GuavaBloomFilter.CODE
        ? BLOOMKIT_GUAVA.toString()
        : file.kind().map(FilterKind::label).orElseGet(file::className);
  }

  /**
   * Returns the kind of a file in the format of another library by its first bytes, or an empty
   * result for all other files.
   */
  static Optional<FileKind> of(byte[] start) {
    if (start.length == 0) {
      return Optional.empty();
    }
    if (start[0] == PARQUET_START) {
      return Optional.of(PARQUET);
    }
    if (Arrays.equals(start, new byte[] {1, 0, 0, 0})) { // in Guava's format, no hashes
      return Optional.of(DCSO);
    }
    if (Arrays.equals(start, new byte[] {0, 0, 0, 1})) {
      return Optional.of(SPARK_V1);
    }
    if (Arrays.equals(start, new byte[] {0, 0, 0, 2})) {
      return Optional.of(SPARK_V2);
    }
    return start[0] >= 0 && start[0] <= MAX_GUAVA_STRATEGY ? Optional.of(GUAVA) : Optional.empty();
  }

  /**
   * Checks that the inputs of a command are no filters. Reads only their first bytes, or a file as
   * a whole if it begins as one in a format without a mark.
   *
   * @param remedy what to do with a filter instead, with {@code %s} for its name
   * @throws IllegalArgumentException if an input is a filter or a delta
   */
  public static void requireLines(LineOptions lines, String remedy) {
    for (Path file : lines.files()) {
      if (!file.toString().equals("-") && isFilter(file)) {
        throw new IllegalArgumentException(
            file + " is a filter, not lines; " + String.format(Locale.ROOT, remedy, file));
      }
    }
  }

  private static boolean isFilter(Path file) {
    if (!Files.isRegularFile(file)) {
      return DurableContents.isIn(file);
    }
    try (LineFilterFile.Opened opened = LineFilterFile.Opened.of(file)) {
      if (opened.otherFormat().isPresent()) { // a list with an empty name can begin as one
        opened.filter(LineStrategy.BYTES, ValueType.BYTES);
      } else {
        opened.header();
      }
      return true;
    } catch (LineFilterFile.CompressedException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether files of this kind record the type of their elements. */
  boolean recordsType() {
    return this != PARQUET && this != SPARK_V1 && this != SPARK_V2;
  }

  /** Returns whether lines can be removed from filters of this kind. */
  public boolean isDeletable() {
    return isCounting() || isExpiring();
  }

  /**
   * Checks that lines can be removed from filters of this kind.
   *
   * @throws IllegalArgumentException if they cannot
   */
  void requireDeletable() {
    if (!isDeletable()) {
      throw notDeletable();
    }
  }

  IllegalArgumentException notDeletable() {
    return new IllegalArgumentException(
        "cannot remove lines from "
            + withArticle()
            + " filter; build a new filter from the remaining lines, with --kind "
            + counting()
            + " for later removals");
  }

  /** Returns whether filters of this kind count how often a line was added. */
  boolean isCounting() {
    return installed != null && installed.isDeletable();
  }

  /** Returns whether filters of this kind can be intersected. */
  boolean isIntersectable() {
    return installed == ClassicBloomFilter.KIND || installed == BlockedBloomFilter.KIND;
  }

  /** Returns whether filters of this kind can be subtracted from each other. */
  boolean isSubtractable() {
    return installed == CountingBloomFilter.KIND
        || installed == BlockedCountingBloomFilter.KIND
        || installed == DynamicCuckooFilter.KIND;
  }

  boolean isOfOtherLibrary() {
    return installed == null;
  }

  /** Returns whether this is one of the two formats of Guava's filter, which merge. */
  boolean isGuavas() {
    return this == GUAVA || this == BLOOMKIT_GUAVA;
  }

  /** Returns whether filters of this kind forget lines and need a window. */
  boolean isExpiring() {
    return installed == ExpiringCuckooFilter.KIND;
  }

  /** Returns whether the memory of a filter follows its lines, so any planned number fits. */
  boolean isElastic() {
    return installed != null && installed.is(FilterKind.Trait.ELASTIC);
  }

  /** Returns whether filters of this kind grow by layers, so they need no number of lines. */
  public boolean isGrowing() {
    return installed != null && installed.is(FilterKind.Trait.GROWING);
  }

  /** Returns whether a file of this kind can be mapped, unless its bits are compressed. */
  boolean isMappable() {
    return isIntersectable() || this == GUAVA;
  }

  /** Returns whether filters of this kind have a thread-safe variant in Java. */
  public boolean isConcurrent() {
    return isConcurrent;
  }

  /**
   * Returns the layout of a filter without creating the filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  public FilterLayout layout(long items, double fpp) {
    return planner.layout(items, fpp);
  }

  /** Returns whether filters of this kind can be converted to another kind. */
  boolean isConvertibleTo(FileKind to) {
    if (installed != null) {
      return to.installed != null && installed.isConvertibleTo(to.installed);
    }
    return (this == GUAVA && to == BLOOMKIT_GUAVA) || (this == BLOOMKIT_GUAVA && to == GUAVA);
  }

  /** Returns the installed kind, or an empty result for a format of another library. */
  Optional<FilterKind> installed() {
    return Optional.ofNullable(installed);
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  LineFilter create(LineStrategy strategy, long items, double fpp) {
    if (strategy.type() != ValueType.BYTES && installed == null && this != BLOOMKIT_GUAVA) {
      throw new IllegalArgumentException(
          "--strategy "
              + strategy
              + " requires a kind whose file names the strategy, but "
              + this
              + " files do not; leave out --kind or --strategy");
    }
    return creator.create(strategy, items, fpp);
  }

  /**
   * Reads a filter of this kind.
   *
   * @param strategy the strategy, if filters of this kind have one
   * @param type the type of the elements, if the file does not record it
   * @throws IllegalArgumentException if filters of this kind do not support the type
   * @throws IOException if the file cannot be read, or if its filter is of another kind or strategy
   */
  LineFilter read(LineStrategy strategy, ValueType type, InputStream in) throws IOException {
    return reader.read(strategy, type, in);
  }

  /** Returns the names of the kinds that support counts and removals, for error messages. */
  static String counting() {
    return all().stream()
        .filter(FileKind::isCounting)
        .map(FileKind::toString)
        .collect(Collectors.joining(" or "));
  }

  /** Returns the exception for an impossible conversion. Its message lists the possible ones. */
  IllegalArgumentException noConversion(FileKind to) {
    List<FileKind> kinds = all();
    String conversions =
        kinds.stream()
            .flatMap(
                from ->
                    kinds.stream()
                        .filter(from::isConvertibleTo)
                        .map(other -> from + " becomes " + other))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        this
            + " filters cannot become "
            + to
            + "; possible conversions: "
            + conversions
            + "; elements cannot be recovered from a filter, so build a new filter from the"
            + " elements");
  }

  /** Returns the name with its article, for messages. */
  String withArticle() {
    return ("aeiou".indexOf(name.charAt(0)) < 0 ? "a " : "an ") + name;
  }

  /** Returns the name on the command line. */
  @Override
  public String toString() {
    return name;
  }

  /** Parses the name of a kind on the command line. */
  public static final class Converter implements ITypeConverter<FileKind> {

    @Override
    public FileKind convert(String value) {
      return Arguments.choice(all(), value);
    }
  }

  /** The names of all kinds, for the help text. */
  public static final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return all().stream().map(FileKind::toString).iterator();
    }
  }

  /** The names of the kinds to which another kind can be converted, for the help text. */
  static final class ConvertedNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      List<FileKind> kinds = all();
      return kinds.stream()
          .filter(to -> kinds.stream().anyMatch(from -> from.isConvertibleTo(to)))
          .map(FileKind::toString)
          .iterator();
    }
  }
}
