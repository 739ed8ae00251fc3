package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a filter from its file format. After the header is read, a {@link Body} receives the
 * reader. The body checks the variant, the strategy and the fields, and reads the sections in the
 * order of the file.
 *
 * <p>Malformed input causes a {@link FilterFormatException}. So does a section of the file for
 * which the body calls neither {@link #section} nor {@link #table}. If the body calls one of them
 * but does not read the section to its last word, an {@link IllegalStateException} is thrown.
 *
 * <p>Reading allocates at most 64 KiB plus 16 times the bytes received so far, provided that the
 * body allocates the array of a section only after {@link #section} or {@link #table} has returned.
 *
 * <p>Not thread-safe.
 */
public final class FilterReader {

  /** The ids of ready-made strategies over bytes, which say nothing of their elements. */
  private static final Pattern BYTES_HASH_ID =
      Pattern.compile("xxh3|md5|sha384|siphash24|murmur3\\(0x[0-9a-f]+\\)");

  private final ReceivedBytes in;
  private final FilterHeader header;
  private int nextSection;
  private @Nullable SectionReader section;

  FilterReader(ReceivedBytes in) throws IOException {
    this.in = in;
    this.header = FilterHeader.readFrom(in);
  }

  private static String describe(String id) {
    return BYTES_HASH_ID.matcher(id).matches() ? id + " of bytes" : id;
  }

  /** Reads all sections and returns the filter. */
  @FunctionalInterface
  public interface Body<F> {
    F read(FilterReader reader) throws IOException;
  }

  /**
   * Reads a filter from a stream. Reads no byte beyond the filter.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are not a filter, or the body rejects them
   */
  public static <F> F readFrom(InputStream in, Body<F> body) throws IOException {
    return read(new ReceivedBytes(Objects.requireNonNull(in, "in")), body);
  }

  /**
   * Reads a filter from an array that contains nothing else.
   *
   * @throws FilterFormatException if the bytes are not a filter, the body rejects them, or more
   *     bytes follow
   */
  public static <F> F fromBytes(byte[] bytes, Body<F> body) throws FilterFormatException {
    try {
      return readAll(new ByteArrayInputStream(Objects.requireNonNull(bytes, "bytes")), body);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("an array has no errors of its own", e);
    }
  }

  /**
   * Reads a filter from a file that contains nothing else.
   *
   * @throws FilterFormatException as for {@link #fromBytes}
   */
  public static <F> F readFrom(Path file, Body<F> body) throws IOException {
    try (InputStream in = Files.newInputStream(Objects.requireNonNull(file, "file"))) {
      return readAll(in, body);
    } catch (IOException e) {
      throw FileErrors.naming(file, e);
    }
  }

  private static <F> F readAll(InputStream in, Body<F> body) throws IOException {
    ReceivedBytes bytes = new ReceivedBytes(in);
    F filter = read(bytes, body);
    bytes.requireEnd();
    return filter;
  }

  private static <F> F read(ReceivedBytes bytes, Body<F> body) throws IOException {
    FilterReader reader = new FilterReader(bytes);
    F filter = body.read(reader);
    reader.requireAllRead();
    return filter;
  }

  private void requireAllRead() throws FilterFormatException {
    requireSectionRead();
    if (nextSection < header.sections().size()) {
      throw new FilterFormatException(
          header.sectionEntryOffset(nextSection),
          String.format(
              Locale.ROOT,
              "a %s has %d sections but here are %d",
              header.variantName(),
              nextSection,
              header.sections().size()));
    }
  }

  /** Returns the header. The values of its fields have not been checked. */
  public FilterHeader header() {
    return header;
  }

  /**
   * Checks the variant, the strategy and the number of fields in the header.
   *
   * @throws FilterFormatException if the header differs
   */
  public void require(int variant, StrategyIdentity strategy, int fields)
      throws FilterFormatException {
    if (header.variant() != variant) {
      throw new FilterFormatException(FilterHeader.VARIANT_OFFSET, wrongVariant(variant));
    }
    if (!header.strategy().id().equals(strategy.id())) {
      throw new FilterFormatException(
          header.idOffset(),
          "the filter was filled by strategy "
              + describe(header.strategy().id())
              + " but is to be read with "
              + describe(strategy.id())
              + ": read it with "
              + nameOf(header.strategy().id()));
    }
    if (header.strategy().fingerprint() != strategy.fingerprint()) {
      throw new FilterFormatException(
          FilterHeader.FINGERPRINT_OFFSET,
          "the filter was filled by strategy "
              + header.strategy()
              + " but is to be read with "
              + strategy
              + ": the ids agree but not the fingerprints, so the function or its secret key is"
              + " another one: read it with those that filled it");
    }
    if (header.fieldCount() != fields) {
      throw new FilterFormatException(
          FilterHeader.FIELDS_OFFSET,
          String.format(
              Locale.ROOT,
              "a %s has %d fields but here are %d",
              Variant.name(variant),
              fields,
              header.fieldCount()));
    }
  }

  /** Returns how a program gets the strategy with an id, as far as it is known. */
  private static String nameOf(String id) {
    Map<HashStrategy<?>, String> readyMade =
        Map.of(
            HashStrategies.bytes(), "HashStrategies.bytes()",
            HashStrategies.utf8(), "HashStrategies.utf8()",
            HashStrategies.longs(), "HashStrategies.longs()",
            HashStrategies.uuids(), "HashStrategies.uuids()");
    return readyMade.keySet().stream()
        .filter(strategy -> StrategyIdentity.of(strategy).id().equals(id))
        .map(readyMade::get)
        .findFirst()
        .orElse("the strategy that filled it");
  }

  private String wrongVariant(int expected) {
    String message = "this is a " + header.variantName() + " and not a " + Variant.name(expected);
    if (expected == Variant.DELTA.code()) {
      message = "this is a filter, not a delta: a " + header.variantName();
    } else if (header.variant() == Variant.DELTA.code()) {
      message = "this is a delta, not a filter: read it by Delta.readFrom and apply it to its base";
    }
    return message;
  }

  /**
   * Returns a field.
   *
   * @param name the name of the field in the error message
   * @throws FilterFormatException if the value is not in [least, most]
   */
  public long field(int index, String name, long min, long max) throws FilterFormatException {
    long value = header.field(index);
    if (value < min || value > max) {
      throw wrongField(index, name + " must be in [" + min + ", " + max + "], got " + value);
    }
    return value;
  }

  /** Returns an exception about an invalid field. The caller throws it. */
  public FilterFormatException wrongField(int index, String fault) {
    return new FilterFormatException(FilterHeader.fieldOffset(index), fault);
  }

  /** Returns the element count in the header, or empty if it is unknown. */
  public OptionalLong elementCount() {
    return header.elementCount();
  }

  /** Returns the plan in the header, or empty if there is none. */
  public Optional<FilterPlan> plan() {
    return header.plan();
  }

  /** Checks that the plan, if there is one, is for a given number of elements. */
  public void requirePlanFor(long expectedInsertions) throws FilterFormatException {
    if (plan().isPresent() && plan().get().expectedInsertions() != expectedInsertions) {
      throw new FilterFormatException(
          header.planOffset(),
          "the plan must be for "
              + expectedInsertions
              + " elements, got "
              + plan().get().expectedInsertions());
    }
  }

  /** Checks that the header has no plan. */
  public void requireNoPlan() throws FilterFormatException {
    if (plan().isPresent()) {
      throw new FilterFormatException(
          header.planOffset(), "the header of a " + header.variantName() + " must have no plan");
    }
  }

  /**
   * Checks that an element count lies within the bounds that the contents allow. Accepts an unknown
   * count. Call this method after reading the section that determines the bounds.
   *
   * @param count the count in the {@linkplain #elementCount header}, or the count of a part of the
   *     filter
   */
  public void requireElementCount(OptionalLong count, long min, long max)
      throws FilterFormatException {
    if (count.isPresent() && (count.getAsLong() < min || count.getAsLong() > max)) {
      throw wrongSection(
          String.format(
              Locale.ROOT,
              "its fill is that of %d to %d elements, but the element count is %d",
              min,
              max,
              count.getAsLong()));
    }
  }

  /**
   * Begins the next section, whose number of words is known.
   *
   * @throws FilterFormatException if there is no further section, if the section has another role
   *     or size, or if the bytes end within it
   * @throws IllegalStateException if words of the previous section were not read
   */
  public SectionReader section(SectionRole role, long wordCount) throws IOException {
    FilterSection next = nextSection(role);
    if (next.wordCount() != wordCount) {
      throw new FilterFormatException(
          header.sectionEntryOffset(nextSection),
          "section " + role + " must have " + wordCount + " words, got " + next.wordCount());
    }
    return open(next);
  }

  /**
   * Begins the next section as {@link #section}, but its number of words varies: it must be a
   * multiple of {@code multiple} and at most {@code max}.
   */
  public SectionReader table(SectionRole role, long max, int multiple) throws IOException {
    FilterSection next = nextSection(role);
    if (next.wordCount() > max || next.wordCount() % multiple != 0) {
      throw new FilterFormatException(
          header.sectionEntryOffset(nextSection),
          String.format(
              Locale.ROOT,
              "section %s must have a multiple of %d words, at most %d, got %d",
              role,
              multiple,
              max,
              next.wordCount()));
    }
    return open(next);
  }

  private FilterSection nextSection(SectionRole role) throws FilterFormatException {
    requireSectionRead();
    if (nextSection == header.sections().size()) {
      throw new FilterFormatException(
          FilterHeader.SECTIONS_OFFSET,
          "section " + role + " is missing: there are only " + nextSection + " sections");
    }
    FilterSection next = header.sections().get(nextSection);
    if (next.role() != role) {
      throw new FilterFormatException(
          header.sectionEntryOffset(nextSection),
          "section " + nextSection + " must be " + role + ", got " + next.role());
    }
    return next;
  }

  private SectionReader open(FilterSection next) throws IOException {
    nextSection++;
    SectionReader reader = new SectionReader(in, next);
    section = reader;
    return reader;
  }

  private void requireSectionRead() {
    if (section != null && !section.isFinished()) {
      throw new IllegalStateException("words of the section before were left unread");
    }
  }

  /** Returns an exception about the section that was begun last. The caller throws it. */
  public FilterFormatException wrongSection(String fault) {
    FilterSection last = header.sections().get(Math.max(0, nextSection - 1));
    return new FilterFormatException(last.offset(), "section " + last.role() + ": " + fault);
  }
}
