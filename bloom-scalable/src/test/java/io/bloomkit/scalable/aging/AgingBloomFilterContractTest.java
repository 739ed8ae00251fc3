package io.bloomkit.scalable.aging;

import io.bloomkit.hash.HashStrategies;

class AgingBloomFilterContractTest
    implements AgingFilterContract<String, AgingBloomFilter<String>> {

  @Override
  public AgingBloomFilter<String> newFilter(long lastAdditions, double fpp) {
    return AgingBloomFilter.create(HashStrategies.utf8(), lastAdditions, fpp);
  }

  @Override
  public String element(long index) {
    return Long.toString(index, Character.MAX_RADIX);
  }

  @Override
  public boolean add(AgingBloomFilter<String> filter, String element) {
    return filter.add(element);
  }

  @Override
  public boolean addHash(AgingBloomFilter<String> filter, long hash) {
    return filter.addHash(hash);
  }

  @Override
  public void clear(AgingBloomFilter<String> filter) {
    filter.clear();
  }

  @Override
  public long additionsUntilForgotten(AgingBloomFilter<String> filter) {
    return filter.shape().additionsUntilForgotten();
  }
}
