package io.bloomkit.cli;

import picocli.CommandLine.Command;

/** The group of experiments. */
@Command(name = "experiment", description = "Runs an experiment.")
final class ExperimentCommand {}
