/**
 * The load test: an agent in its own process against a real or embedded API server, measured from
 * outside. Blocks the command's thread.
 */
@NullMarked
package dev.vertlet.harness.loadtest;

import org.jspecify.annotations.NullMarked;
