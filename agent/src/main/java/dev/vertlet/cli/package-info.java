/**
 * The command line: the tree of commands, the options they share, signals, and how failures become
 * exit codes.
 *
 * <p>Commands run on the main thread and may block it; what they start runs on event loops. Exit
 * codes are 0 for done, 1 for failed and 2 for wrong usage or configuration. A failure is one line
 * on standard error; only {@code --log-level debug} shows where it came from. A command lives with
 * its feature: {@code vertlet agent} in {@code dev.vertlet.agent}, and other modules add theirs
 * with {@link dev.vertlet.cli.CommandContributor}.
 */
@NullMarked
package dev.vertlet.cli;

import org.jspecify.annotations.NullMarked;
