package io.bloomkit.cli.experiment.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.io.NoProgress;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.junit.jupiter.api.Test;

class QueryStreamTest {

  private static final int QUERIES = 10_000;

  @Test
  void everyStreamOfADefinitionIsTheSame() {
    QueryStream.Definition definition = definition(new LongOpenHashSet());
    QueryStream first = definition.stream();
    QueryStream second = definition.stream();
    for (int i = 0; i < QUERIES; i++) {
      assertEquals(first.next(), second.next());
    }
  }

  @Test
  void textsAreTwelveDigitsSpreadEvenly() {
    QueryStream stream = definition(new LongOpenHashSet()).stream();
    int[] byFirstDigit = new int[10];
    for (int i = 0; i < QUERIES; i++) {
      byFirstDigit[(int) (stream.next() / (Iin.TEXTS / 10))]++;
    }
    for (int count : byFirstDigit) {
      // Fixed seed; six standard deviations of Binomial(10,000, 0.1).
      assertEquals(1000, count, 180);
    }
  }

  @Test
  void membersAreThoseOfTheExactSet() {
    QueryStream all = definition(new LongOpenHashSet()).stream();
    LongSet everyThird = new LongOpenHashSet();
    for (int i = 0; i < QUERIES; i++) {
      long text = all.next();
      if (i % 3 == 0) {
        everyThird.add(text);
      }
    }
    QueryStream stream = definition(everyThird).stream();
    for (int i = 0; i < QUERIES; i++) {
      assertTrue(everyThird.contains(stream.next()) == stream.isMember());
    }
  }

  private static QueryStream.Definition definition(LongSet ids) {
    return new QueryStream.Definition(5, QUERIES, ids, new NoProgress());
  }
}
