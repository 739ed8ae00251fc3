/** A Bloom filter that grows. */
module io.bloomkit.scalable {
  requires transitive io.bloomkit;
  requires io.bloomkit.classic;
  requires static transitive org.jspecify;

  exports io.bloomkit.scalable;
}
