/**
 * What is wrong with what people wrote: each problem has the JSON pointer of its place, the value
 * and what is allowed, and all of them are told at once. Everything here is pure: no clock, no
 * event loop, no I/O, safe on any thread.
 */
@NullMarked
package dev.vertlet.problem;

import org.jspecify.annotations.NullMarked;
