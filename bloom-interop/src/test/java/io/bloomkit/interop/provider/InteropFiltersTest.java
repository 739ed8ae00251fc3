package io.bloomkit.interop.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterKind;
import io.bloomkit.internal.format.FilterVariant;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

class InteropFiltersTest {

  @Test
  void theFilterOfGuavaIsNamedThoughItIsNoKind() {
    assertEquals(
        List.of(FilterVariant.of(GuavaBloomFilter.CODE, "GuavaBloomFilter")),
        new InteropFilters().variants());
    assertEquals("GuavaBloomFilter", FilterVariant.name(GuavaBloomFilter.CODE));
    assertTrue(FilterKind.of(GuavaBloomFilter.CODE).isEmpty());
  }
}
