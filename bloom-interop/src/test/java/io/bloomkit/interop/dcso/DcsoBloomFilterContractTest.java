package io.bloomkit.interop.dcso;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.InsertableFilterContract;
import java.nio.charset.StandardCharsets;

/** Not the contract of rates: the derivation is DCSO's. */
class DcsoBloomFilterContractTest implements InsertableFilterContract<byte[]> {

  @Override
  public InsertableFilter<byte[]> newFilter(long expectedInsertions, double fpp) {
    return DcsoBloomFilter.create(expectedInsertions, fpp);
  }

  @Override
  public byte[] element(long index) {
    return Long.toString(index).getBytes(StandardCharsets.US_ASCII);
  }
}
