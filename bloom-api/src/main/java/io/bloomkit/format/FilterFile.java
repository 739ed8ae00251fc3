package io.bloomkit.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FileErrors;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterSection;
import io.bloomkit.internal.format.Variant;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the header of a file states about its filter or delta. For tools that handle files of every
 * kind:
 *
 * <pre>{@code
 * FilterFile file = FilterFile.inspect(path);
 * FilterKind kind = file.kind().orElseThrow();
 * try (InputStream in = Files.newInputStream(path)) {
 *   StorableFilter<Object> filter = kind.readFrom(in, file.opaqueStrategy());
 * }
 * }</pre>
 *
 * <p>The header has a checksum of its own, which is checked. The rest of the file is not read.
 * Immutable and thread-safe.
 */
public final class FilterFile {

  private final FilterHeader header;

  private FilterFile(FilterHeader header) {
    this.header = header;
  }

  /**
   * Reads the header of a file.
   *
   * @throws FilterFormatException if the file is not in this library's format, is of a newer
   *     version, or its header is damaged
   * @throws IOException if the file cannot be read
   */
  public static FilterFile inspect(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(Objects.requireNonNull(file, "file"))) {
      return inspect(in);
    } catch (IOException e) {
      throw FileErrors.naming(file, e);
    }
  }

  /**
   * Reads the header of a file. Reads no byte beyond the header.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException as for {@link #inspect(Path)}
   * @throws IOException if the stream fails
   */
  public static FilterFile inspect(InputStream in) throws IOException {
    return new FilterFile(FilterHeader.readFrom(in));
  }

  /**
   * Reads the header at the beginning of an array.
   *
   * @throws FilterFormatException as for {@link #inspect(Path)}
   */
  public static FilterFile inspect(byte[] bytes) throws FilterFormatException {
    try {
      return inspect(new ByteArrayInputStream(Objects.requireNonNull(bytes, "bytes")));
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("an array has no errors of its own", e);
    }
  }

  /** Returns the version of the file format, now 1. */
  public int formatVersion() {
    return FilterHeader.VERSION;
  }

  /** Returns whether the file is a {@link Delta} instead of a filter. */
  public boolean isDelta() {
    return header.variant() == Variant.DELTA.code();
  }

  /** Returns the {@linkplain FilterKind#code code} of the filter, or of those of the delta. */
  public int code() {
    return isDelta() && header.fieldCount() > 0 ? (int) header.field(0) : header.variant();
  }

  /**
   * Returns the kind of the filter, or of the filters to which the delta belongs; empty if its
   * module is not installed, or if the file is one of Guava's filters in this library's format.
   *
   * @throws LinkageError as for {@link FilterKind#installed}
   */
  public Optional<FilterKind> kind() {
    return FilterKind.of(code());
  }

  /**
   * Returns the simple class name of the filter, or of those of the delta, also if the class is not
   * installed; "variant" and the code if this version of the library does not have it.
   */
  public String className() {
    return Variant.name(code());
  }

  /** Returns the identity of the strategy that filled the filter. */
  public StrategyIdentity strategy() {
    return header.strategy();
  }

  /** Returns the insertions less removals of the filter, or empty if their number is unknown. */
  public OptionalLong elementCount() {
    return header.elementCount();
  }

  /** Returns whether an array of the filter is compressed, so that it cannot be memory-mapped. */
  public boolean isCompressed() {
    return header.sections().stream().anyMatch(FilterSection::gapCoded);
  }

  /**
   * Returns a strategy with the identity of the one that filled the filter, to read a filter whose
   * strategy is not at hand. Such a filter can be measured, merged, converted and written, and
   * takes and answers hashes. The strategy's {@code hash} throws {@link IllegalStateException}.
   */
  public HashStrategy<Object> opaqueStrategy() {
    StrategyIdentity identity = strategy();
    return new OpaqueStrategy(identity.id(), identity.fingerprint());
  }

  private record OpaqueStrategy(String id, long fingerprint) implements HashStrategy<Object> {

    @Override
    public long hash(Object element) {
      throw new IllegalStateException(
          "cannot hash: of the strategy " + id + " only the id is known");
    }
  }

  /** Returns the class name and the strategy, for logs. */
  @Override
  public String toString() {
    return (isDelta() ? "Delta of " : "") + className() + " with " + strategy();
  }
}
