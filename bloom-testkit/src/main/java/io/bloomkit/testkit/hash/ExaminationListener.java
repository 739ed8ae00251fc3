package io.bloomkit.testkit.hash;

/** Told how far an examination is. */
@FunctionalInterface
public interface ExaminationListener {

  /**
   * A step begins; the one before it is over.
   *
   * @param step what is done in it, in a few words
   * @param number its number, from 1
   * @param steps how many steps there are
   */
  void begins(String step, int number, int steps);
}
