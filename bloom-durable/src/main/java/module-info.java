/** Filters that survive the process: a snapshot and a log of updates in a folder. */
module io.bloomkit.durable {
  requires transitive io.bloomkit;
  requires static transitive org.jspecify;

  exports io.bloomkit.durable;
}
