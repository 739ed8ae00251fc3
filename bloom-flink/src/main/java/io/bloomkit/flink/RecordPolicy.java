package io.bloomkit.flink;

/** What a {@link StreamDeduplicator} does with a record whose time it cannot judge. */
public enum RecordPolicy {

  /** Passes the record, unless its key is remembered: no record is lost, but a repeat may pass. */
  PASS,

  /** Drops the record: no repeat passes, but the first record of a key may be lost. */
  DROP,

  /**
   * Sends the record to the side output for untimely records, and does not pass it. See {@link
   * StreamDeduplicator#apply(org.apache.flink.streaming.api.datastream.KeyedStream,
   * org.apache.flink.util.OutputTag, org.apache.flink.util.OutputTag)}.
   */
  SIDE_OUTPUT,

  /** Stops the job with an exception that names the record and its time. */
  FAIL
}
