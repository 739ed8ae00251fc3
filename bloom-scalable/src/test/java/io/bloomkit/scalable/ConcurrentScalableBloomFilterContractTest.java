package io.bloomkit.scalable;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentScalableBloomFilterContractTest extends ScalableBloomFilterContractTest {

  @Override
  boolean isConcurrent() {
    return true;
  }
}
