package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import io.bloomkit.hash.HashStrategies;
import java.util.UUID;

/** The kinds of keys. */
public enum Keys {
  LONGS {
    @Override
    Workload workload(Subject subject, int elements, double fpp, int queries) {
      return new LongWorkload(subject, elements, fpp, queries);
    }
  },
  UUIDS {
    @Override
    Workload workload(Subject subject, int elements, double fpp, int queries) {
      return new TextWorkload(subject, Keys::uuid, elements, fpp, queries);
    }
  },
  DIGITS {
    @Override
    Workload workload(Subject subject, int elements, double fpp, int queries) {
      return new TextWorkload(subject, Keys::digits, elements, fpp, queries);
    }
  };

  private static final long IDS = 1_000_000_000_000L;

  /**
   * Returns keys of this kind and an empty filter.
   *
   * @param queries the number of absent keys
   */
  abstract Workload workload(Subject subject, int elements, double fpp, int queries);

  private static String uuid(long number) {
    return new UUID(number, HashStrategies.longs().hashLong(number)).toString();
  }

  /** Returns the id of a number. Even numbers give even ids, because the number of ids is even. */
  private static String digits(long number) {
    return Long.toString(IDS + Math.floorMod(number, IDS)).substring(1);
  }
}
