/**
 * Shared parts of commands that run a whole system from a terminal: a private directory, agents in
 * this process or in their own, waits with a time limit, progress. Every method blocks the
 * command's thread.
 */
@NullMarked
package dev.vertlet.harness.run;

import org.jspecify.annotations.NullMarked;
