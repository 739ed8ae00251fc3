package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Asserts that a call is refused, and what the message says. */
public final class Refusals {

  private Refusals() {}

  public static void assertRefused(Executable call, String... partsOfMessage) {
    assertRefused(IllegalArgumentException.class, call, partsOfMessage);
  }

  public static void assertRefused(
      Class<? extends Exception> type, Executable call, String... partsOfMessage) {
    String message = String.valueOf(assertThrows(type, call).getMessage());
    for (String part : partsOfMessage) {
      assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
    }
  }

  /** A null where the compiler allows none, to see that the program refuses it too. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  public static <T> T absent() {
    return null;
  }
}
