/**
 * The program: command line, start and stop of the process, and the wiring of the verticles.
 *
 * <p>{@link dev.vertlet.agent.Main} is the entry point. Commands run on the main thread and may
 * block it; what they start runs on event loops. Exit codes are 0 for done, 1 for failed and 2 for
 * wrong usage or configuration. A failure is one line on standard error; only {@code --log-level
 * debug} shows where it came from. Other modules add commands with {@link
 * dev.vertlet.agent.CommandContributor}.
 */
@NullMarked
package dev.vertlet.agent;

import org.jspecify.annotations.NullMarked;
