/** Bloom filters that grow, and a Bloom filter that forgets old elements. */
module io.bloomkit.scalable {
  requires transitive io.bloomkit;
  requires io.bloomkit.classic;
  requires static transitive org.jspecify;

  exports io.bloomkit.scalable;
  exports io.bloomkit.scalable.aging;

  provides io.bloomkit.internal.format.FilterProvider with
      io.bloomkit.scalable.provider.ScalableFilters;
}
