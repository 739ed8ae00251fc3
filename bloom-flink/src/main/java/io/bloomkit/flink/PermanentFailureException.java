package io.bloomkit.flink;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** A failure that would come again after each restart, so Flink does not restart the job. */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
final class PermanentFailureException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  PermanentFailureException(String message) {
    super(message);
  }

  PermanentFailureException(String message, Exception cause) {
    super(message, cause);
  }
}
