/** Meters of Bloom filters for Micrometer. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer's modules are automatic
module io.bloomkit.micrometer {
  requires transitive io.bloomkit;
  requires transitive micrometer.core;
  requires static transitive io.bloomkit.durable;
  requires static transitive org.jspecify;

  exports io.bloomkit.micrometer;
}
