package io.bloomkit.testkit;

/** The figures of a statistical test; see {@link ExaminationTest}. */
record Evidence(
    String measured,
    double statistic,
    double expected,
    long sampleSize,
    double pValue,
    double power,
    String alternative) {}
