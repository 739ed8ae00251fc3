package io.bloomkit.testkit;

import java.util.OptionalLong;

/** The simplest right concurrent counting filter: every operation holds one lock. */
class LockedCountersFilter extends IntCountersFilter {

  private long elements;

  LockedCountersFilter(long expectedInsertions, double fpp) {
    super(expectedInsertions, fpp);
  }

  @Override
  public boolean isConcurrent() {
    return true;
  }

  @Override
  public synchronized boolean addHash(long hash) {
    elements++;
    return super.addHash(hash);
  }

  @Override
  public synchronized boolean removeHash(long hash) {
    boolean removed = super.removeHash(hash);
    elements -= removed ? 1 : 0;
    return removed;
  }

  @Override
  public synchronized long countHash(long hash) {
    return super.countHash(hash);
  }

  @Override
  synchronized long setPositions() {
    return super.setPositions();
  }

  @Override
  public synchronized OptionalLong elementCount() {
    return OptionalLong.of(elements);
  }
}
