package io.bloomkit.scalable.aging;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Faults that filters have had which remember a stretch of time, or could have; {@link
 * AgingGalleryTest} runs them. They are no tests of their own.
 */
final class BrokenTimedAgingFilters {

  private BrokenTimedAgingFilters() {}

  abstract static class Timed implements TimedAgingFilterContract<Long, TimedSlicesFilter> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public boolean add(TimedSlicesFilter filter, Long element) {
      return filter.add(element);
    }

    @Override
    public boolean addHash(TimedSlicesFilter filter, long hash) {
      return filter.addHash(hash);
    }

    @Override
    public void clear(TimedSlicesFilter filter) {
      filter.clear();
    }

    @Override
    public Duration timeUntilForgotten(TimedSlicesFilter filter) {
      return filter.timeUntilForgotten();
    }
  }

  static class GenerationsAreAPartTooShort extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        int due() {
          long elapsed = Math.max(0, clock.millis() - start);
          return (int) Math.min(slices.size(), elapsed / Math.max(1, generationMillis * 9 / 10));
        }
      };
    }
  }

  static class GenerationsEndWhenTheyAreFullToo extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        boolean addHash(long hash) {
          if (additions == generationAdditions) {
            shift();
          }
          return super.addHash(hash);
        }
      };
    }
  }

  static class RepeatsAreNotRefreshed extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        void set(long hash) {
          if (!mightContainHash(hash)) {
            super.set(hash);
          }
        }
      };
    }
  }

  static class FollowsTheClockBack extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        int due() {
          start = Math.min(start, clock.millis());
          return super.due();
        }
      };
    }
  }

  static class ClearsWhenTheClockGoesBack extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        boolean addHash(long hash) {
          if (clock.millis() < start) {
            clear();
          }
          return super.addHash(hash);
        }
      };
    }
  }

  static class APauseEndsButOneGeneration extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        void goOn(int due) {
          super.goOn(Math.min(1, due));
        }
      };
    }
  }

  static class APauseOfTwoGenerationsForgetsAll extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        void goOn(int due) {
          super.goOn(due > 1 ? slices.size() : due);
        }
      };
    }
  }

  static class QueriesDoNotLookAtTheClock extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        public boolean mightContainHash(long hash) {
          return mightContainHash(hash, slices.size());
        }
      };
    }
  }

  static class CountsMoreTimeThanALongHolds extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        int due() {
          long elapsed = clock.millis() - start;
          return (int) Math.max(0, Math.min(slices.size(), elapsed / generationMillis));
        }
      };
    }
  }

  static class AddLooksAtWhatIsDue extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        boolean addHash(long hash) {
          boolean positive = mightContainHash(hash, slices.size());
          super.addHash(hash);
          return !positive;
        }
      };
    }
  }

  static class ElementsAreHashedTwice extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        long hashOf(Long element) {
          return strategy().hashLong(super.hashOf(element));
        }
      };
    }
  }

  static class ClearKeepsItsPlaceInTheCycle extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        void clear() {
          long kept = start;
          super.clear();
          start = kept;
        }
      };
    }
  }

  static class ForgetsToClearASlice extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        void shift() {
          slices.addFirst(slices.removeLast());
        }
      };
    }
  }

  static class SaysItsDesignRateAlways extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        public double expectedFpp() {
          return fpp;
        }
      };
    }
  }

  static class SaysThreeTimesItsRate extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        public double expectedFpp() {
          return Math.min(1, 3 * super.expectedFpp());
        }
      };
    }
  }

  static class OneMorePositiveInAThousand extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        public boolean mightContainHash(long hash) {
          return super.mightContainHash(hash)
              || (additions > 0 && (hash & 0x3ff) == 0); // one in a thousand
        }
      };
    }
  }

  static class SaysItForgetsSooner extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        Duration timeUntilForgotten() {
          return Duration.ofMillis((historicSlices + 2) * generationMillis);
        }
      };
    }
  }

  static class TakesMemoryAsItGoes extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        public long memoryBytes() {
          return slices.stream().mapToLong(slice -> slice.bits().size()).sum() / Byte.SIZE;
        }
      };
    }
  }

  static class NullsAreIgnored extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      return new TimedSlicesFilter(window, n, fpp, clock) {
        @Override
        public boolean mightContain(@Nullable Long element) {
          return element != null && super.mightContain(element);
        }
      };
    }
  }

  static class WindowsAreNotChecked extends Timed {
    @Override
    public TimedSlicesFilter newFilter(Duration window, long n, double fpp, InstantSource clock) {
      boolean isWindow = !window.isZero() && !window.isNegative();
      return new TimedSlicesFilter(isWindow ? window : Duration.ofMillis(1), n, fpp, clock);
    }
  }
}
