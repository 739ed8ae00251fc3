/**
 * The {@code bloom} command.
 *
 * <p>Start at {@link io.bloomkit.cli.Bloom}: it assembles the subcommands, runs them and turns
 * their failures into messages and exit codes. Each group of commands has its own package below
 * this one and knows no other group; only {@code size} takes the kinds of filters from {@code
 * filter}, and the experiment with ids shows dimensions as {@code size} does. Depends on all of
 * them, and nothing depends on it.
 */
@NullMarked
package io.bloomkit.cli;

import org.jspecify.annotations.NullMarked;
