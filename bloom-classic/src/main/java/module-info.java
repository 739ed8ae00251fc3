/** Bloom filters of bits. */
module io.bloomkit.classic {
  requires transitive io.bloomkit;
  requires static transitive org.jspecify;

  exports io.bloomkit.classic;
}
