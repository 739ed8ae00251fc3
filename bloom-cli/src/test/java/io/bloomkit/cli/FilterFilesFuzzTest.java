package io.bloomkit.cli;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.bloomkit.HashStrategies;
import io.bloomkit.HashStrategy;
import io.bloomkit.StorableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.testkit.FileChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a coverage-guided fuzzer makes up meet every reader. In the ordinary build these are
 * the files of the corpus only; CONTRIBUTING.md says how to search for others. It stands here
 * because this module sees all filters.
 */
class FilterFilesFuzzTest {

  private static final HashStrategy<Long> LONGS = HashStrategies.longs();

  private static final List<FileChecks.Reader<StorableFilter<Long>>> READERS =
      List.of(
          in -> ClassicBloomFilter.readFrom(in, LONGS),
          in -> BlockedBloomFilter.readFrom(in, LONGS),
          in -> CountingBloomFilter.readFrom(in, LONGS),
          in -> BlockedCountingBloomFilter.readFrom(in, LONGS),
          in -> CuckooFilter.readFrom(in, LONGS));

  @FuzzTest(maxDuration = "10m")
  void everyReader(byte @Nullable [] bytes) {
    if (bytes == null) {
      return; // what the fuzzer calls the empty input in the ordinary build
    }
    for (FileChecks.Reader<StorableFilter<Long>> reader : READERS) {
      FileChecks.anyBytesAreRefusedOrSound(bytes, reader, StorableFilter::toBytes);
    }
  }
}
