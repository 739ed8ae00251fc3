package io.bloomkit.scalable.aging;

import org.jspecify.annotations.Nullable;

/**
 * Faults that filters have had which remember a window, or could have; {@link AgingGalleryTest}
 * runs them. They are no tests of their own.
 */
final class BrokenAgingFilters {

  private BrokenAgingFilters() {}

  abstract static class Aging implements AgingFilterContract<Long, SlicesFilter> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public boolean add(SlicesFilter filter, Long element) {
      return filter.add(element);
    }

    @Override
    public boolean addHash(SlicesFilter filter, long hash) {
      return filter.addHash(hash);
    }

    @Override
    public void clear(SlicesFilter filter) {
      filter.clear();
    }

    @Override
    public long additionsUntilForgotten(SlicesFilter filter) {
      return filter.additionsUntilForgotten();
    }
  }

  static class DoesNotAskTheOldestSlice extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public boolean mightContainHash(long hash) {
          Slice oldest = slices.removeLast();
          boolean positive = super.mightContainHash(hash);
          slices.addLast(oldest);
          return positive;
        }
      };
    }
  }

  static class GenerationsAreOneTooShort extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        boolean addHash(long hash) {
          if (additions == generationAdditions - 1) {
            shift();
          }
          return super.addHash(hash);
        }
      };
    }
  }

  static class RepeatsAreNotRefreshed extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        void set(long hash) {
          if (!mightContainHash(hash)) {
            super.set(hash);
          }
        }
      };
    }
  }

  static class ForgetsToClearASlice extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        void shift() {
          slices.addFirst(slices.removeLast());
          additions = 0;
        }
      };
    }
  }

  static class ClearsAQuarterOfASlice extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        void shift() {
          Slice oldest = slices.removeLast();
          oldest.bits().clear(0, slicePositions / 4);
          slices.addFirst(oldest);
          additions = 0;
        }
      };
    }
  }

  static class ShiftsBeforeItLooks extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
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

  static class CountsHitsThatAreNotInARow extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public boolean mightContainHash(long hash) {
          int hits = 0;
          for (Slice slice : slices) {
            hits += slice.bits().get(position(slice, hash)) ? 1 : 0;
          }
          return hits >= hashes;
        }
      };
    }
  }

  static class SaysItForgetsSooner extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        long additionsUntilForgotten() {
          return (historicSlices + 2L) * generationAdditions;
        }
      };
    }
  }

  static class ClearKeepsItsPlaceInTheCycle extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        void clear() {
          int kept = additions;
          super.clear();
          additions = kept;
        }
      };
    }
  }

  static class ElementsAreHashedTwice extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        long hashOf(Long element) {
          return strategy().hashLong(super.hashOf(element));
        }
      };
    }
  }

  static class SaysItsDesignRateAlways extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public double expectedFpp() {
          return fpp;
        }
      };
    }
  }

  static class SaysThreeTimesItsRate extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public double expectedFpp() {
          return 3 * super.expectedFpp();
        }
      };
    }
  }

  static class TakesMemoryAsItGoes extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public long memoryBytes() {
          return slices.stream().mapToLong(slice -> slice.bits().size()).sum() / Byte.SIZE;
        }
      };
    }
  }

  static class NullsAreIgnored extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public boolean mightContain(@Nullable Long element) {
          return element != null && super.mightContain(element);
        }
      };
    }
  }

  static class WindowsAreNotChecked extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(Math.max(1, n), fpp > 0 && fpp < 1 ? fpp : 0.01);
    }
  }

  static class EstimatesATenthTooMany extends Aging {
    @Override
    public SlicesFilter newFilter(long n, double fpp) {
      return new SlicesFilter(n, fpp) {
        @Override
        public long approximateElementCount() {
          return super.approximateElementCount() * 11 / 10;
        }
      };
    }
  }
}
