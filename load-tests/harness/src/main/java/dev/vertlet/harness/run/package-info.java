/**
 * What commands that run a whole system from a terminal share: a private directory, agents in this
 * process or in one of their own, patience with an end, progress for people. Everything here blocks
 * the command's thread.
 */
@NullMarked
package dev.vertlet.harness.run;

import org.jspecify.annotations.NullMarked;
