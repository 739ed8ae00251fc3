package io.bloomkit.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExperimentTest {

  @Test
  void timesUnderLoadAreSaidToBeTooLong() {
    assertEquals("", Experiment.loadNote(-1, 2)); // on Windows
    assertEquals("", Experiment.loadNote(2, 2));
    assertEquals(
        "bloom: note: times are too long, as other programs were running: load average 2.1 on 2"
            + " processors",
        Experiment.loadNote(2.06, 2).strip());
  }
}
