/** Classic Bloom filters. */
module io.bloomkit.classic {
  requires transitive io.bloomkit;
  requires static transitive org.jspecify;

  exports io.bloomkit.classic;

  provides io.bloomkit.FilterProvider with
      io.bloomkit.classic.ClassicFilters;
}
