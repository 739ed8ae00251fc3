package io.bloomkit.internal;

/** Marks a filter that large batches of hashes change in less time per hash than small ones. */
public interface PrefersLargeBatches {}
