package io.bloomkit.scalable.aging;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.filter.BuilderOptions;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads and writes the file of an {@link AgingBloomFilter} (docs/format.md), and checks its parts.
 */
final class AgingFile {

  private static final int FIELDS = 8;

  private AgingFile() {}

  static FilterContents contents(
      StrategyIdentity strategy, Optional<FilterPlan> plan, AgingSlices slices) {
    AgingShape shape = slices.shape;
    Cycle cycle = slices.cycle();
    return FilterContents.of(
            AgingBloomFilter.KIND.code(),
            strategy,
            shape.hashes(),
            shape.historicSlices(),
            shape.slicePositions(),
            shape.generationAdditions(),
            slices.generations.millis(),
            cycle.generation(),
            cycle.additions(),
            cycle.startMillis())
        .plan(plan)
        .section(SectionRole.WORDS, slices.words())
        .build();
  }

  /**
   * Reads a filter.
   *
   * @param options the builder's options; the filter must have their shape, if there is one
   * @param expectedMillis with a shape, the duration of a generation that the filter must have
   * @param clock the clock with which the filter continues
   */
  static <T> AgingBloomFilter<T> read(
      FilterReader reader,
      BuilderOptions<? super T, AgingShape, ?> options,
      long expectedMillis,
      InstantSource clock)
      throws IOException {
    reader.require(AgingBloomFilter.KIND.code(), options.strategyIdentity(), FIELDS);
    AgingShape expected = options.size();
    AgingShape shape = readShape(reader);
    long millis = reader.field(4, "generationMillis", 0, Long.MAX_VALUE);
    if (expected != null && !(expected.equals(shape) && expectedMillis == millis)) {
      throw reader.wrongField(
          0,
          String.format(
              Locale.ROOT,
              "the filter must have %s and generations of %d ms (0: by count), got %s and %d",
              expected,
              expectedMillis,
              shape,
              millis));
    }
    Cycle cycle = readCycle(reader, shape, millis);
    int count = AgingSlices.wordCount(shape);
    SectionReader section = reader.section(SectionRole.WORDS, count);
    long[] words = new long[count]; // as large as was received
    section.readInto(words, 0, count);
    GenerationClock generations = new GenerationClock(shape, clock, millis);
    AgingSlices slices = AgingSlices.of(generations, options.isConcurrent(), words, cycle);
    Optional<String> fault = fault(slices);
    if (fault.isPresent()) {
      throw reader.wrongSection(fault.get());
    }
    return new AgingBloomFilter<>(options.strategy(), reader.plan(), slices);
  }

  private static AgingShape readShape(FilterReader reader) throws FilterFormatException {
    int hashes = (int) reader.field(0, "hashes", 1, FlatShape.MAX_HASHES);
    int historic = (int) reader.field(1, "historicSlices", 1, AgingShape.MAX_HISTORIC_SLICES);
    long most = AgingShape.MAX_POSITIONS / (hashes + historic);
    long positions = reader.field(2, "slicePositions", AgingShape.POSITIONS_UNIT, most);
    if (positions % AgingShape.POSITIONS_UNIT != 0) {
      throw reader.wrongField(
          2,
          "slicePositions must be a multiple of "
              + AgingShape.POSITIONS_UNIT
              + ", got "
              + positions);
    }
    long additions = reader.field(3, "generationAdditions", 1, AgingShape.MAX_GENERATION_ADDITIONS);
    return new AgingShape(hashes, historic, positions, additions);
  }

  private static Cycle readCycle(FilterReader reader, AgingShape shape, long generationMillis)
      throws FilterFormatException {
    if (reader.elementCount().isPresent()) {
      throw reader.wrongField(
          5,
          "the element count must be unknown, since elements fade, got "
              + reader.elementCount().getAsLong());
    }
    boolean byCount = generationMillis == 0;
    return new Cycle(
        reader.field(5, "generation", 0, Cycle.MAX_COUNT),
        reader.field(6, "additions", 0, byCount ? shape.generationAdditions() : Cycle.MAX_COUNT),
        reader.field(7, "startMillis", byCount ? 0 : Long.MIN_VALUE, byCount ? 0 : Long.MAX_VALUE));
  }

  /**
   * Returns slices with a copy of given bits.
   *
   * @throws IllegalArgumentException if no such filter can have these words and this cycle
   */
  static AgingSlices slicesOf(
      GenerationClock generations, boolean concurrent, long[] words, Cycle cycle) {
    AgingShape shape = generations.shape;
    Objects.requireNonNull(words, "words");
    Objects.requireNonNull(cycle, "cycle");
    if (words.length != AgingSlices.wordCount(shape)) {
      throw new IllegalArgumentException(
          "words must have "
              + AgingSlices.wordCount(shape)
              + " elements for "
              + shape
              + ", got "
              + words.length);
    }
    if (generations.isByCount()
        && (cycle.additions() > shape.generationAdditions() || cycle.startMillis() != 0)) {
      throw new IllegalArgumentException(
          "cycle must have at most "
              + shape.generationAdditions()
              + " additions and start at 0 in a filter by count, got "
              + cycle);
    }
    AgingSlices slices = AgingSlices.of(generations, concurrent, words.clone(), cycle);
    Optional<String> fault = fault(slices);
    if (fault.isPresent()) {
      throw new IllegalArgumentException("words must fit " + cycle + ": " + fault.get());
    }
    return slices;
  }

  /**
   * Returns the reason why the bits of a filter are impossible in its cycle, or empty if they are
   * possible. A slice that no addition has reached is empty. Each addition sets at most one bit per
   * slice, and the last addition has set a bit in each of the k youngest slices. By count, all
   * earlier generations had g additions; by time, any number.
   */
  static Optional<String> fault(AgingSlices slices) {
    AgingShape shape = slices.shape;
    Cycle cycle = slices.cycle();
    for (int age = 0; age < shape.slices(); age++) {
      boolean isActive = age < shape.hashes();
      long present = isActive ? cycle.additions() : 0;
      long earlier = earlierGenerations(shape, cycle, age);
      long most =
          slices.generations.isByCount() || earlier == 0
              ? earlier * shape.generationAdditions() + present
              : shape.slicePositions();
      long least = Math.min(1, present);
      long set = slices.setPositions(age);
      if (set < least || set > most) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "the slice of age %d must have %d to %d set bits, got %d",
                age,
                least,
                most,
                set));
      }
    }
    return Optional.empty();
  }

  /** Returns the number of generations before the present one whose additions reached a slice. */
  private static long earlierGenerations(AgingShape shape, Cycle cycle, int age) {
    long youngestAt = cycle.generation() - age; // negative: before the first generation
    long last = Math.min(cycle.generation() - 1, youngestAt + shape.hashes() - 1);
    return Math.max(0, last - Math.max(0, youngestAt) + 1);
  }
}
