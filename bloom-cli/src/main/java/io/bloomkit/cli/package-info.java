/**
 * The {@code bloom} command.
 *
 * <p>Start at {@link io.bloomkit.cli.Bloom}: it assembles the subcommands, runs them and turns
 * their failures into messages and exit codes. Each group of commands has its own package below
 * this one and knows no other group; only the experiment with ids takes its filters from {@code
 * size}. Depends on all of them, and nothing depends on it.
 */
@NullMarked
package io.bloomkit.cli;

import org.jspecify.annotations.NullMarked;
