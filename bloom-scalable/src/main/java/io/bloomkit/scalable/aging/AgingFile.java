package io.bloomkit.scalable.aging;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/** The fields of an ageing filter's file (docs/format.md), and what its bits can be. */
final class AgingFile {

  private AgingFile() {}

  static AgingShape readShape(FilterReader reader) throws FilterFormatException {
    int hashes = (int) reader.field(0, "hashes", 1, Shape.MAX_HASHES);
    int historic = (int) reader.field(1, "historicSlices", 1, AgingShape.MAX_HISTORIC_SLICES);
    long most = AgingShape.MAX_POSITIONS / (hashes + historic);
    long positions = reader.field(2, "slicePositions", AgingShape.POSITIONS_UNIT, most);
    if (positions % AgingShape.POSITIONS_UNIT != 0) {
      throw reader.wrongField(
          2,
          "slicePositions must be a multiple of "
              + AgingShape.POSITIONS_UNIT
              + " but is "
              + positions);
    }
    long additions = reader.field(3, "generationAdditions", 1, AgingShape.MAX_GENERATION_ADDITIONS);
    return new AgingShape(hashes, historic, positions, additions);
  }

  static long readGenerationMillis(FilterReader reader) throws FilterFormatException {
    return reader.field(4, "generationMillis", 0, Long.MAX_VALUE);
  }

  static Cycle readCycle(FilterReader reader, AgingShape shape, long generationMillis)
      throws FilterFormatException {
    if (reader.elementCount().isPresent()) {
      throw reader.wrongField(
          5,
          "the element count must be unknown, since elements fade, but is "
              + reader.elementCount().getAsLong());
    }
    boolean byCount = generationMillis == 0;
    return new Cycle(
        reader.field(5, "generation", 0, Cycle.MAX_COUNT),
        reader.field(6, "additions", 0, byCount ? shape.generationAdditions() : Cycle.MAX_COUNT),
        reader.field(7, "startMillis", byCount ? 0 : Long.MIN_VALUE, byCount ? 0 : Long.MAX_VALUE));
  }

  /**
   * Says what is impossible about the bits of a filter at a moment: slices that no addition has
   * reached yet are empty, no addition sets more than one bit in a slice, and the last one has set
   * one in each of the k youngest. By count all earlier generations had their g additions, by time
   * any number.
   *
   * @param setPositions of a slice of some age
   */
  static Optional<String> fault(
      AgingShape shape, boolean byCount, Cycle cycle, IntToLongFunction setPositions) {
    for (int age = 0; age < shape.slices(); age++) {
      boolean isActive = age < shape.hashes();
      long present = isActive ? cycle.additions() : 0;
      long earlier = earlierGenerations(shape, cycle, age);
      long most =
          byCount || earlier == 0
              ? earlier * shape.generationAdditions() + present
              : shape.slicePositions();
      long least = Math.min(1, present);
      long set = setPositions.applyAsLong(age);
      if (set < least || set > most) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "the slice of age %d must have %d to %d set bits but has %d",
                age,
                least,
                most,
                set));
      }
    }
    return Optional.empty();
  }

  /** In how many generations before the present one additions have reached a slice. */
  private static long earlierGenerations(AgingShape shape, Cycle cycle, int age) {
    long youngestAt = cycle.generation() - age; // before the first one if negative
    long last = Math.min(cycle.generation() - 1, youngestAt + shape.hashes() - 1);
    return Math.max(0, last - Math.max(0, youngestAt) + 1);
  }
}
