/** Bloom filters of bits, and the Bloom filters of DCSO, Guava, Parquet and Spark. */
module io.bloomkit.classic {
  requires transitive io.bloomkit;
  requires static transitive org.jspecify;

  exports io.bloomkit.classic;
  exports io.bloomkit.classic.dcso;
  exports io.bloomkit.classic.guava;
  exports io.bloomkit.classic.parquet;
  exports io.bloomkit.classic.spark;

  provides io.bloomkit.internal.format.FilterProvider with
      io.bloomkit.classic.provider.ClassicFilters;
}
