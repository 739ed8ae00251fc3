package io.bloomkit.durable;

/**
 * When the updates of a {@link DurableFilter} become durable: forced to the disk, so that they are
 * there after the process is killed or the power fails.
 */
public enum SyncPolicy {
  /**
   * An update is durable before the call returns. Threads that wait at the same time share one
   * force of the disk. A hundred threads together are much faster than one.
   */
  EVERY_UPDATE,

  /**
   * Updates become durable in the background, one second after the force before. A crash loses at
   * most the updates of the last second and of two forces, before and after it, with the writes
   * before each, usually milliseconds, and of the time that a large batch takes meanwhile.
   */
  EVERY_SECOND,

  /** Updates become durable only in {@link DurableFilter#sync} and {@link DurableFilter#close}. */
  ON_SYNC
}
