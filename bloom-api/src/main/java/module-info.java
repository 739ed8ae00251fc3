/** Filter interfaces, hash strategies, sizing, formulas and the file format of Bloomkit. */
@SuppressWarnings("module") // the modules that see its internals are compiled later
module io.bloomkit {
  requires com.dynatrace.hash4j;
  requires jdk.unsupported; // JdkInternals
  requires static transitive org.jspecify;

  exports io.bloomkit;
  exports io.bloomkit.format;
  exports io.bloomkit.hash;
  exports io.bloomkit.internal to
      io.bloomkit.classic,
      io.bloomkit.counting,
      io.bloomkit.durable,
      io.bloomkit.interop,
      io.bloomkit.scalable;
  exports io.bloomkit.internal.format to
      io.bloomkit.classic,
      io.bloomkit.counting,
      io.bloomkit.durable,
      io.bloomkit.interop,
      io.bloomkit.scalable;
  exports io.bloomkit.internal.filter to
      io.bloomkit.classic,
      io.bloomkit.counting,
      io.bloomkit.durable,
      io.bloomkit.interop,
      io.bloomkit.scalable;
}
