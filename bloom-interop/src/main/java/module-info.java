/** The Bloom filters of Guava, Parquet, Spark and DCSO, bit for bit. */
module io.bloomkit.interop {
  requires transitive io.bloomkit;
  requires static transitive org.jspecify;

  exports io.bloomkit.interop;
  exports io.bloomkit.interop.dcso;
  exports io.bloomkit.interop.guava;
  exports io.bloomkit.interop.parquet;
  exports io.bloomkit.interop.spark;
}
