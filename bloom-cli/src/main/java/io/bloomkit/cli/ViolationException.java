package io.bloomkit.cli;

/** A run has found that something does not do what it promises, such as a false negative. */
final class ViolationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ViolationException(String message) {
    super(message);
  }
}
