package io.bloomkit.cli.experiment;

import picocli.CommandLine.Command;

/** The group of experiments. */
@Command(name = "experiment", description = "Runs an experiment.")
public final class ExperimentCommand {}
