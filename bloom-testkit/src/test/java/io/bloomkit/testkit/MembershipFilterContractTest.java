package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomkit.MembershipFilter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Every check of the contract catches a broken filter. */
class MembershipFilterContractTest {

  /** A contract over filters of a broken kind, which are filled before they break. */
  abstract static class Broken implements MembershipFilterContract<Long> {

    abstract BitSetFilter newFilter(long expectedInsertions);

    @Override
    public MembershipFilter<Long> filterOf(List<Long> elements) {
      BitSetFilter filter = newFilter(Math.max(1, elements.size()));
      elements.forEach(filter::add);
      return filter;
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  static final class Forgets extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public boolean add(Long element) {
          return element % 500 != 499 && super.add(element);
        }
      };
    }
  }

  static final class PositiveForTwo extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public boolean mightContainHash(long hash) {
          return hash == strategy().hashLong(2) || super.mightContainHash(hash);
        }
      };
    }
  }

  static final class SaysAFifthTooLittle extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public double expectedFpp() {
          return 0.8 * super.expectedFpp();
        }
      };
    }
  }

  static final class HashesGoAnotherWay extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public boolean mightContain(Long element) {
          return super.mightContainHash(strategy().hashLong(element));
        }

        @Override
        public boolean mightContainHash(long hash) {
          return super.mightContainHash(hash * 3);
        }
      };
    }
  }

  static final class RangesAreCut extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
          int from = Math.max(0, Math.min(offset, hashes.length));
          int most = Math.max(0, Math.min(length, hashes.length - from));
          return super.mightContainHashes(hashes, from, most, answers);
        }
      };
    }
  }

  static final class NullIsNegative extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public boolean mightContain(Long element) {
          return !Objects.isNull(element) && super.mightContain(element);
        }
      };
    }
  }

  static final class EstimatesAThirdTooMany extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public long approximateElementCount() {
          return super.approximateElementCount() * 4 / 3;
        }
      };
    }
  }

  static final class TakesNoMemory extends Broken {
    @Override
    BitSetFilter newFilter(long n) {
      return new BitSetFilter(n, 0.01) {
        @Override
        public long memoryBytes() {
          return 0;
        }
      };
    }
  }

  private static Set<String> failedChecks(Class<?> contract) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(contract))
        .execute()
        .testEvents()
        .failed()
        .stream()
        .map(event -> (MethodSource) event.getTestDescriptor().getSource().orElseThrow())
        .map(MethodSource::getMethodName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static DynamicTest caught(Class<?> contract, String... checks) {
    return DynamicTest.dynamicTest(
        contract.getSimpleName(),
        () -> assertEquals(new TreeSet<>(Set.of(checks)), failedChecks(contract)));
  }

  @TestFactory
  Stream<DynamicTest> everyBrokenFilterIsCaughtByItsCheckAlone() {
    return Stream.of(
        caught(Forgets.class, "storedElementsAreAlwaysPositive"),
        caught(PositiveForTwo.class, "anEmptyFilterIsNegative"),
        caught(SaysAFifthTooLittle.class, "absentElementsArePositiveAtTheExpectedRate"),
        caught(HashesGoAnotherWay.class, "everyQueryMethodGivesTheSameAnswer"),
        caught(RangesAreCut.class, "aRangeOutsideTheArrayIsRefused"),
        caught(NullIsNegative.class, "nullIsRefused"),
        caught(EstimatesAThirdTooMany.class, "approximateElementCountIsClose"),
        caught(TakesNoMemory.class, "memoryIsTaken"));
  }

  @Test
  void aRightFilterIsNotCaught() {
    assertEquals(Set.of(), failedChecks(BitSetMembershipContractTest.class));
  }
}
