/**
 * Subjects of load tests: vertlet, in this process or in its own, or any program that serves nodes.
 * Every method blocks its caller.
 */
@NullMarked
package dev.vertlet.harness.subject;

import org.jspecify.annotations.NullMarked;
