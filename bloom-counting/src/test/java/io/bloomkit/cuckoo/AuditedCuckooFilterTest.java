package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AuditedFilter;
import io.bloomkit.testkit.DeletableFilterContract;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The audit of a filter with a capacity: what the filter refuses, the audit does not record. */
class AuditedCuckooFilterTest implements DeletableFilterContract<Long> {

  @Override
  public AuditedFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return new AuditedFilter<>(
        CuckooFilter.create(HashStrategies.longs(), expectedInsertions, fpp));
  }

  @Override
  public boolean isBounded() {
    return true;
  }

  @Override
  public boolean removesEveryPositive() {
    return true;
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Test
  void moreElementsThanTheCapacityAreRefusedAsAWhole() {
    CuckooFilter<Long> filter = CuckooFilter.create(HashStrategies.longs(), 10, 0.01);
    AuditedFilter<Long> audited = new AuditedFilter<>(filter);
    long[] thirty = LongStream.range(0, 30).map(HashStrategies.longs()::hashLong).toArray();
    assertThrows(IllegalStateException.class, () -> audited.addHashes(thirty, 0, 30));
    assertEquals(0, filter.distinctFingerprints());
    assertEquals(0, audited.approximateElementCount());
    for (long element = 0; element < 30; element++) {
      assertEquals(0, audited.trueCount(element));
    }
    assertEquals(10, audited.addHashes(thirty, 0, 10));
    assertEquals(10, audited.removeHashes(thirty, 0, 10));
  }
}
