package io.bloomkit.cli.filter;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.cli.io.FileFailure;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.durable.DurableContents;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of inspecting a filter's file.
 *
 * @param members the figures by name; null values for figures that the filter does not have
 * @param filter the filter, or null if it could not be read or the file is a delta
 * @param damage the exception from reading the filter, or null
 */
record FilterInspection(
    Map<String, @Nullable Object> members,
    @Nullable LineFilter filter,
    @Nullable UncheckedIOException damage) {

  /**
   * The members that the table does not list: the file is its heading, the damage is the message of
   * the exception.
   */
  private static final Set<String> NOT_IN_TABLE = Set.of("file", "damage");

  /** The first members of every object, in their order; null in a format of another library. */
  private static final List<String> HEADER =
      List.of("kind", "formatVersion", "strategy", "fingerprint", "netInsertions");

  /** The kinds of filters that may be intersections, which hold fewer elements than estimated. */
  private static final Set<Object> INTERSECTABLE = Set.of("classic", "blocked");

  /** Further members of every object, in their order; null if a filter has no such figure. */
  private static final List<String> FIGURES =
      List.of(
          "positions",
          "hashes",
          "setPositions",
          "fill",
          "layers",
          "blocks",
          "buckets",
          "fingerprintBits",
          "capacity");

  /**
   * Reads the filter or delta in a file. If it is damaged or of an unknown kind, the result has
   * what its header says.
   *
   * @throws UncheckedIOException if the header cannot be read
   */
  static FilterInspection of(Path file) {
    return LineFilterFile.read(file, FilterInspection::of);
  }

  private static FilterInspection of(LineFilterFile.Opened opened) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("file", opened.file().toString());
    Optional<FileKind> otherFormat = opened.otherFormat();
    HEADER.forEach(name -> members.put(name, null));
    if (otherFormat.isPresent()) {
      members.put("kind", otherFormat.get().toString());
    } else {
      putHeader(members, opened.header());
    }
    if (opened.durable().isPresent()) {
      DurableContents<?> durable = opened.durable().get();
      members.put("logBytes", durable.logBytes());
      members.put("logUpdates", durable.recovery().updates());
      members.put("logBytesCut", durable.recovery().bytesCut());
    } else {
      members.put("fileBytes", Files.size(opened.file()));
    }
    try {
      if (otherFormat.isEmpty() && opened.header().isDelta()) {
        putDelta(members, opened);
        return new FilterInspection(members, null, null);
      }
      LineFilter filter = opened.filter(LineStrategy.BYTES, ValueType.BYTES);
      members.put("kind", filter.kind().toString());
      members.put("checksum", otherFormat.isPresent() ? "none" : "right");
      members.put("damage", null);
      long elements = filter.approximateElementCount();
      members.put("approximateElements", elements == Long.MAX_VALUE ? null : elements);
      members.put("expectedFpp", filter.expectedFpp());
      putPlan(members, filter);
      members.put("memoryBytes", filter.memoryBytes());
      FIGURES.forEach(name -> members.put(name, null));
      members.put("layers", 1);
      members.putAll(filter.figures());
      return new FilterInspection(members, filter, null);
    } catch (IOException e) {
      String damage = e instanceof FilterFormatException wrong ? wrong.getMessage() : null;
      members.put("checksum", damage != null ? "damaged" : "not checked");
      members.put("damage", damage);
      return new FilterInspection(members, null, FileFailure.reading(opened.file(), e));
    }
  }

  private static void putHeader(Map<String, @Nullable Object> members, FilterFile header) {
    OptionalLong insertions = header.elementCount();
    members.put("kind", header.isDelta() ? "delta" : FileKind.name(header));
    members.put("formatVersion", header.formatVersion());
    members.put("strategy", header.strategy().id());
    members.put("fingerprint", hexadecimal(header.strategy().fingerprint()));
    members.put("netInsertions", insertions.isPresent() ? insertions.getAsLong() : null);
  }

  private static void putDelta(Map<String, @Nullable Object> members, LineFilterFile.Opened opened)
      throws IOException {
    Delta delta = opened.readDelta();
    members.put("checksum", "right");
    members.put("damage", null);
    members.put("filterKind", FileKind.name(opened.header()));
    members.put("baseFingerprint", hexadecimal(delta.baseFingerprint()));
    members.put("resultFingerprint", hexadecimal(delta.resultFingerprint()));
  }

  private static String hexadecimal(long fingerprint) {
    return String.format(Locale.ROOT, "%016x", fingerprint);
  }

  private static void putPlan(Map<String, @Nullable Object> members, LineFilter filter) {
    Optional<FilterPlan> plan = filter.plan();
    members.put("plannedElements", plan.map(FilterPlan::expectedInsertions).orElse(null));
    members.put("plannedFpp", plan.map(FilterPlan::fpp).orElse(null));
    members.put("overfull", plan.isPresent() ? filter.isOverfull() : null);
  }

  String json() {
    return Json.document(members);
  }

  /** Returns a table of the present figures, one per line. */
  String table() {
    TextTable table = new TextTable("file", String.valueOf(members.get("file")));
    members.forEach(
        (name, value) -> {
          if (name.equals("approximateElements")) {
            table.row(words(name), elements(value));
          } else if (value != null && !NOT_IN_TABLE.contains(name)) {
            table.row(words(name), text(name, value));
          }
        });
    return table.toString().stripTrailing();
  }

  private String elements(@Nullable Object estimate) {
    if (estimate == null) {
      return "unknown: the filter is full";
    }
    boolean mayBeIntersection =
        members.get("netInsertions") == null && INTERSECTABLE.contains(members.get("kind"));
    return (mayBeIntersection ? "at most about " : "") + Figures.whole((long) estimate);
  }

  /** Returns a JSON name as words, such as {@code set positions} for {@code setPositions}. */
  private static String words(String name) {
    if (name.equals("expectedFpp")) {
      return "expected fpp";
    }
    return name.equals("plannedFpp")
        ? "planned fpp"
        : name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  private static String text(String name, Object value) {
    if (value instanceof Double share) {
      return name.endsWith("Fpp") || name.equals("fill")
          ? Figures.percent(share)
          : String.valueOf(share);
    }
    return value instanceof Number number ? Figures.whole(number.longValue()) : value.toString();
  }
}
