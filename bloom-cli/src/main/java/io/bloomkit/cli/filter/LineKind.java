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

  /** Returns whether lines can be removed from filters of this kind. */
  default boolean isDeletable() {
    return false;
  }

  /** Returns whether filters of this kind grow, so that they need no expected number of lines. */
  default boolean isGrowing() {
    return false;
  }

  /** Returns whether filters of this kind have a thread-safe variant in Java. */
  boolean isConcurrent();

  /**
   * Returns the layout of a filter without creating the filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  FilterLayout layout(long items, double fpp);

  /** Returns whether filters of this kind can be converted to another kind. */
  boolean isConvertibleTo(LineKind to);

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  LineFilter create(LineStrategy strategy, long items, double fpp);

  /**
   * Reads a filter of this kind.
   *
   * @throws IOException if the file cannot be read, or if its filter is of another kind or strategy
   */
  LineFilter read(LineStrategy strategy, Path file) throws IOException;

  /** An installed kind of filter, found by {@link FilterKinds} and named by its label. */
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
   * A format of Guava's filter, which is not a {@link FilterKind} because it has no 64-bit
   * strategy.
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

  /**
   * Returns all kinds: first the installed ones in the order of their codes, then other formats.
   */
  static List<LineKind> all() {
    return Stream.<LineKind>concat(
            FilterKinds.installed().stream().map(Installed::new),
            Stream.concat(Stream.of(Guava.values()), Stream.of(ForeignKind.values())))
        .toList();
  }

  /**
   * Returns the kind of a file in this library's format, or an empty result if this command does
   * not support it.
   */
  static Optional<LineKind> of(FilterVariant variant) {
    return variant.code() == GuavaBloomFilters.VARIANT.code()
        ? Optional.of(Guava.BLOOMKIT_GUAVA)
        : FilterKinds.of(variant).map(Installed::new);
  }

  /** Returns the names of the kinds that support removals, for error messages. */
  static String deletable() {
    return all().stream()
        .filter(LineKind::isDeletable)
        .map(LineKind::toString)
        .collect(Collectors.joining(" or "));
  }

  /** Returns the exception for an impossible conversion. Its message lists the possible ones. */
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
            + " filters cannot become "
            + to
            + "; possible conversions: "
            + conversions
            + "; elements cannot be recovered from a filter, so build a new filter from the"
            + " elements");
  }

  /** Parses the name of a kind on the command line. */
  final class Converter implements ITypeConverter<LineKind> {

    @Override
    public LineKind convert(String value) {
      List<LineKind> kinds = all();
      return kinds.stream()
          .filter(kind -> kind.toString().equals(value.toLowerCase(Locale.ROOT)))
          .findAny()
          .orElseThrow(() -> new TypeConversionException("'" + value + "' is not one of " + kinds));
    }
  }

  /** The names of all kinds, for the help text. */
  final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return all().stream().map(LineKind::toString).iterator();
    }
  }

  /** The names of the kinds to which another kind can be converted, for the help text. */
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
