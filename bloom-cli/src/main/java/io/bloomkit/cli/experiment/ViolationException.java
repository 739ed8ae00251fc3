package io.bloomkit.cli.experiment;

/** Thrown if a run detects the violation of a guarantee, such as a false negative. */
public final class ViolationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public ViolationException(String message) {
    super(message);
  }
}
