/** Filter interfaces, hash strategies, sizing, formulas and the index derivation of Bloomkit. */
module io.bloomkit {
  requires com.dynatrace.hash4j;
  requires jdk.unsupported; // JdkInternals
  requires static transitive org.jspecify;

  exports io.bloomkit;
}
