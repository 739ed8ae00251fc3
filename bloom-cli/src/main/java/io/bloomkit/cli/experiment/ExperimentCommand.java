package io.bloomkit.cli.experiment;

import picocli.CommandLine.Command;

/** The parent command of all experiments. */
@Command(name = "experiment", description = "Runs an experiment.")
public final class ExperimentCommand {}
