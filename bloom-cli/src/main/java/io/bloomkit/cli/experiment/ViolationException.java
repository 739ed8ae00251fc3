package io.bloomkit.cli.experiment;

/** A run has found that something does not do what it promises, such as a false negative. */
public final class ViolationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public ViolationException(String message) {
    super(message);
  }
}
