/** Bloom filters of counters and filters of fingerprints, from which elements can be removed. */
module io.bloomkit.counting {
  requires transitive io.bloomkit;
  requires transitive io.bloomkit.classic;
  requires static transitive org.jspecify;

  exports io.bloomkit.counting;
  exports io.bloomkit.cuckoo;
}
