package io.bloomkit.testkit.hash;

/** A listener for the progress of an {@linkplain HashStrategyExamination examination}. */
@FunctionalInterface
public interface ExaminationListener {

  /**
   * Called when a step begins, after the previous step has ended, in the thread that runs the
   * examination.
   *
   * @param step a short description of the step
   * @param number the number of the step, from 1
   * @param steps the total number of steps
   */
  void begins(String step, int number, int steps);
}
