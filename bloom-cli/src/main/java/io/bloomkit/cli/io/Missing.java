package io.bloomkit.cli.io;

import java.util.Locale;

/** The handling of a line that lacks a field. */
public enum Missing {
  PASS,
  STOP;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
