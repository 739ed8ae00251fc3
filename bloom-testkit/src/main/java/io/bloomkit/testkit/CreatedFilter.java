package io.bloomkit.testkit;

import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Adds the last filter that a test of a contract has created to the message of its failure, such as
 * "newFilter(100, 0.01)". jqwik reports the arguments of its properties itself.
 */
final class CreatedFilter implements BeforeTestExecutionCallback, TestExecutionExceptionHandler {

  private static final ThreadLocal<String> LAST = new ThreadLocal<>();

  /** The method of a contract that creates filters. */
  @FunctionalInterface
  interface Factory<F> {
    F newFilter(long expectedInsertions, double fpp);
  }

  /** Creates a filter and remembers its size. */
  static <F> F of(long expectedInsertions, double fpp, Factory<F> factory) {
    remember("newFilter(" + expectedInsertions + ", " + fpp + ")");
    return factory.newFilter(expectedInsertions, fpp);
  }

  /** Remembers the call that is about to create a filter. */
  static void remember(String call) {
    LAST.set(call);
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    LAST.remove();
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    String created = LAST.get();
    if (created == null || failure instanceof TestAbortedException) {
      throw failure;
    }
    String message = failure instanceof AssertionError ? failure.getMessage() : failure.toString();
    message += "; of " + created;
    AssertionFailedError named =
        failure instanceof AssertionFailedError f && f.isExpectedDefined() && f.isActualDefined()
            ? new AssertionFailedError(message, f.getExpected(), f.getActual(), f.getCause())
            : new AssertionFailedError(message, failure);
    named.setStackTrace(failure.getStackTrace());
    throw named;
  }
}
