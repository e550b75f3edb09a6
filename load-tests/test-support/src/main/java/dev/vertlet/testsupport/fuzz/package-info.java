/**
 * What strangers may write, made from what they should have written: seeded, so that a seed that
 * fails is one that can be tried again. Beside the embedded API server as tests of all modules have
 * it; neither knows the other. No I/O, no clock; not for event loops.
 */
@NullMarked
package dev.vertlet.testsupport.fuzz;

import org.jspecify.annotations.NullMarked;
