package io.bloomkit.cli;

import io.bloomkit.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says how large filters are, without building them. */
@Command(
    name = "size",
    description = {
      "Says how large a filter of each variant is.",
      "",
      "The classic and the counting filter are made for N elements at the rate P. The scalable one"
          + " begins with room for N; it keeps below P however far it grows, so its first layer"
          + " may use a part of P only."
    })
final class SizeCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--items",
      required = true,
      paramLabel = "N",
      converter = Arguments.WholeNumber.class,
      description = "How many distinct elements; 20000000 and 20_000_000 are the same.")
  private long items;

  @Option(
      names = "--fpp",
      required = true,
      paramLabel = "P",
      converter = Arguments.RealNumber.class,
      description = "The false-positive probability, between 0 and 1.")
  private double fpp;

  @Option(
      names = "--json",
      description =
          "Prints an array of objects: filter, positions, hashes, bytes, bitsPerElement,"
              + " expectedFpp.")
  private boolean json;

  @Override
  public void run() {
    Arguments.checkRange("--items", items, 1, Long.MAX_VALUE);
    Arguments.checkFpp(fpp);
    List<Size> sizes =
        Candidates.ofEachVariant(items, fpp).stream()
            .map(candidate -> Size.of(candidate, items))
            .toList();
    spec.commandLine().getOut().println(json ? json(sizes) : table(sizes));
  }

  private static String table(List<Size> sizes) {
    TextTable table =
        new TextTable("filter", "positions", "hashes", "bytes", "bits/element", "expected error");
    for (Size size : sizes) {
      table.row(
          size.filter,
          Figures.whole(size.positions),
          Integer.toString(size.hashes),
          Figures.whole(size.bytes),
          Figures.twoDecimals(size.bitsPerElement),
          Figures.percent(size.expectedFpp));
    }
    return table.toString().stripTrailing();
  }

  private static String json(List<Size> sizes) {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (Size size : sizes) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("filter", size.filter);
      members.put("positions", size.positions);
      members.put("hashes", size.hashes);
      members.put("bytes", size.bytes);
      members.put("bitsPerElement", size.bitsPerElement);
      members.put("expectedFpp", size.expectedFpp);
      objects.add(members);
    }
    return Json.array(objects);
  }

  /** A row. The first layer is all there is: each variant is made for so many elements. */
  private record Size(
      String filter,
      long positions,
      int hashes,
      long bytes,
      double bitsPerElement,
      double expectedFpp) {

    static Size of(Candidate<?> candidate, long elements) {
      Shape shape = candidate.plannedLayers().get(0);
      long bytes = candidate.plannedBytes();
      return new Size(
          candidate.name(),
          shape.positions(),
          shape.hashes(),
          bytes,
          (double) bytes * Byte.SIZE / elements,
          shape.fpp(elements));
    }
  }
}
