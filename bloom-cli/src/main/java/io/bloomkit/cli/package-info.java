/**
 * The {@code bloom} command.
 *
 * <p>Start at {@link io.bloomkit.cli.Bloom}: it assembles the subcommands, runs them and converts
 * their failures to messages and exit codes. Each group of commands has its own package below this
 * one and depends on no other group, with two exceptions: {@code size} uses the kinds of filters in
 * {@code filter}, and the experiment with ids uses the dimensions in {@code size}. This package
 * depends on all groups, and no package depends on it.
 */
@NullMarked
package io.bloomkit.cli;

import org.jspecify.annotations.NullMarked;
