package io.bloomkit.cli.filter;

import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKinds;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterVariant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A value of {@code --kind}: an installed kind of filter, or a format of another library. {@link
 * Object#toString} returns its name on the command line.
 */
public sealed interface LineKind permits LineKind.Installed, LineKind.Guava, ForeignKind {

  /** Returns whether lines can be removed from its filters. */
  default boolean isDeletable() {
    return false;
  }

  /** Returns whether its filters need no number of lines to begin with. */
  default boolean isGrowing() {
    return false;
  }

  /** Returns whether there is a thread-safe form of its filters in Java. */
  boolean isConcurrent();

  /**
   * Plans a filter without making it.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  FilterLayout layout(long items, double fpp);

  /** Returns whether its filters can be converted to those of another kind. */
  boolean isConvertibleTo(LineKind to);

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  LineFilter create(LineStrategy strategy, long items, double fpp);

  /**
   * Reads a filter of this kind.
   *
   * @throws IOException if the file cannot be read, or holds another kind or strategy
   */
  LineFilter read(LineStrategy strategy, Path file) throws IOException;

  /** A kind of filter that {@link FilterKinds} finds, named by its label. */
  record Installed(FilterKind kind) implements LineKind {

    @Override
    public boolean isDeletable() {
      return kind.isDeletable();
    }

    @Override
    public boolean isGrowing() {
      return kind.is(FilterKind.Trait.GROWING);
    }

    @Override
    public boolean isConcurrent() {
      return kind.is(FilterKind.Trait.CONCURRENT);
    }

    @Override
    public FilterLayout layout(long items, double fpp) {
      return kind.layout(items, fpp);
    }

    @Override
    public boolean isConvertibleTo(LineKind to) {
      return to instanceof Installed other && kind.isConvertibleTo(other.kind());
    }

    @Override
    public LineFilter create(LineStrategy strategy, long items, double fpp) {
      return StoredLineFilter.create(kind, strategy.hash(), items, fpp);
    }

    @Override
    public LineFilter read(LineStrategy strategy, Path file) throws IOException {
      return StoredLineFilter.read(kind, strategy.hash(), file);
    }

    @Override
    public String toString() {
      return kind.label();
    }
  }

  /**
   * A format of Guava's filter, which has no strategy of 64 bits and so is no {@link FilterKind}.
   */
  enum Guava implements LineKind {
    /** This library's format. */
    BLOOMKIT_GUAVA,

    /** Guava's own bytes. */
    GUAVA;

    @Override
    public boolean isConcurrent() {
      return true;
    }

    @Override
    public FilterLayout layout(long items, double fpp) {
      return GuavaBloomFilters.layout(items, fpp);
    }

    @Override
    public boolean isConvertibleTo(LineKind to) {
      return to instanceof Guava && to != this;
    }

    @Override
    public LineFilter create(LineStrategy strategy, long items, double fpp) {
      return GuavaLineFilter.create(this, strategy, items, fpp);
    }

    @Override
    public LineFilter read(LineStrategy strategy, Path file) throws IOException {
      return GuavaLineFilter.read(this, strategy, file);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Returns all kinds: the installed ones in the order of their codes, then other formats. */
  static List<LineKind> all() {
    return Stream.<LineKind>concat(
            FilterKinds.installed().stream().map(Installed::new),
            Stream.concat(Stream.of(Guava.values()), Stream.of(ForeignKind.values())))
        .toList();
  }

  /** Returns the kind of a file in this library's format, or empty if this command knows none. */
  static Optional<LineKind> of(FilterVariant variant) {
    return variant.code() == GuavaBloomFilters.VARIANT.code()
        ? Optional.of(Guava.BLOOMKIT_GUAVA)
        : FilterKinds.of(variant).map(Installed::new);
  }

  /** Returns the names of those from which lines can be removed, for error messages. */
  static String deletable() {
    return all().stream()
        .filter(LineKind::isDeletable)
        .map(LineKind::toString)
        .collect(Collectors.joining(" or "));
  }

  /** Returns the exception for a conversion that is not possible; it lists those that are. */
  default IllegalArgumentException noConversion(LineKind to) {
    List<LineKind> kinds = all();
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
            + " filters do not become "
            + to
            + " ones: only "
            + conversions
            + "; elements cannot be recovered from a filter, so build a new filter from the"
            + " elements");
  }

  /** Reads the names of the command line. */
  final class Converter implements ITypeConverter<LineKind> {

    @Override
    public LineKind convert(String value) {
      List<LineKind> kinds = all();
      return kinds.stream()
          .filter(kind -> kind.toString().equals(value.toLowerCase(Locale.ROOT)))
          .findAny()
          .orElseThrow(() -> new TypeConversionException("'" + value + "' is none of " + kinds));
    }
  }

  /** The names of the command line, for its help. */
  final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return all().stream().map(LineKind::toString).iterator();
    }
  }

  /** The names of the kinds that another one becomes, for the help of the command line. */
  final class ConvertedNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      List<LineKind> kinds = all();
      return kinds.stream()
          .filter(to -> kinds.stream().anyMatch(from -> from.isConvertibleTo(to)))
          .map(LineKind::toString)
          .iterator();
    }
  }
}
