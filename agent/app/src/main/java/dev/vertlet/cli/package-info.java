/**
 * The command line: the tree of commands, the options they share, signals, and how failures become
 * exit codes.
 *
 * <p>Commands run on the main thread and may block it; the agents they start run on event loops.
 * Exit codes are 0 for done, 1 for failed and 2 for wrong usage or configuration. A failure is one
 * line on standard error; only {@code --log-level debug} adds its stack trace. A command is in the
 * package of its feature: {@code vertlet agent} in {@code dev.vertlet.agent}; other modules add
 * theirs with {@link dev.vertlet.cli.CommandContributor}.
 */
@NullMarked
package dev.vertlet.cli;

import org.jspecify.annotations.NullMarked;
