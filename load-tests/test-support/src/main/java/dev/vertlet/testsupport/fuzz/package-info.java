/**
 * Malformed input made from valid input. Seeded, so that a failing seed can be replayed. Lies
 * beside the embedded API server because tests of all modules use both; neither depends on the
 * other. No I/O, no clock; not for event loops.
 */
@NullMarked
package dev.vertlet.testsupport.fuzz;

import org.jspecify.annotations.NullMarked;
