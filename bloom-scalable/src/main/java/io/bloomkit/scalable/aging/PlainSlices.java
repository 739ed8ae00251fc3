package io.bloomkit.scalable.aging;

import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.util.Arrays;

/** The state of a single-writer filter. */
final class PlainSlices extends AgingSlices {

  private final SliceRing ring;
  private final int slices;

  /** The number of additions per generation by count; 0 by time. */
  private final long additionsByCount;

  private long generation;
  private long additions;
  private long startMillis;

  PlainSlices(GenerationClock generations, long[] words, Cycle cycle) {
    super(generations);
    this.ring = new SliceRing(shape, words, cycle.generation());
    this.slices = shape.slices();
    this.additionsByCount = generations.isByCount() ? shape.generationAdditions() : 0;
    this.generation = cycle.generation();
    this.additions = cycle.additions();
    this.startMillis = cycle.startMillis();
  }

  @Override
  boolean contains(long start) {
    return ring.contains(start, slices - generations.passedOver(startMillis));
  }

  @Override
  boolean add(long start) {
    return additions < additionsByCount ? addToGeneration(start) : addByTimeOrToNew(start);
  }

  private boolean addToGeneration(long start) {
    additions++;
    return !ring.containsThenAdd(start);
  }

  /**
   * Adds an element in a filter by time, or as the first element of a generation by count. By
   * count, the first addition of the next generation ends a generation, so its query reads all
   * slices of the ended generation.
   */
  private boolean addByTimeOrToNew(long start) {
    if (generations.isByCount()) {
      return addToNewGeneration(start, 1, slices, 0);
    }
    long now = generations.now();
    int ended = generations.due(now, startMillis);
    return ended == 0
        ? addToGeneration(start)
        : addToNewGeneration(start, ended, slices - ended, now);
  }

  private boolean addToNewGeneration(long start, int ended, int ages, long now) {
    boolean contained = ring.contains(start, ages);
    if (ended == slices) {
      clearAt(now);
    } else {
      for (int i = 0; i < ended; i++) {
        ring.turn();
      }
      generation += ended;
      additions = 0;
      startMillis += ended * generations.millis();
    }
    additions++;
    ring.containsThenAdd(start);
    return !contained;
  }

  @Override
  void clear() {
    clearAt(generations.now());
  }

  private void clearAt(long now) {
    ring.clear();
    generation = 0;
    additions = 0;
    startMillis = now;
  }

  @Override
  PlainSlices copy() {
    return new PlainSlices(generations, words().clone(), cycle());
  }

  @Override
  PlainSlices snapshot() {
    return this;
  }

  @Override
  Cycle cycle() {
    return new Cycle(generation, additions, startMillis);
  }

  @Override
  long setPositions(int age) {
    return ring.setPositions(age);
  }

  @Override
  Value[] fillRatios(int lines) {
    Value[] ratios = new Value[slices - generations.passedOver(startMillis)];
    Arrays.setAll(
        ratios, age -> Value.exact((double) ring.setPositions(age) / shape.slicePositions()));
    return ratios;
  }

  @Override
  long[] words() {
    return ring.words();
  }
}
