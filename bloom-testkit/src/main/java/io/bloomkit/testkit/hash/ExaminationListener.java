package io.bloomkit.testkit.hash;

/** A listener for the progress of an examination. */
@FunctionalInterface
public interface ExaminationListener {

  /**
   * Called when a step begins and the previous one has ended, in the thread that runs the
   * examination.
   *
   * @param step a short description of the step
   * @param number its number, from 1
   * @param steps the number of steps
   */
  void begins(String step, int number, int steps);
}
