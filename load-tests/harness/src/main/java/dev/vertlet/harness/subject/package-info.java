/**
 * What a load test measures: vertlet, in this process or in one of its own, or any program that
 * serves nodes. Everything here blocks its caller.
 */
@NullMarked
package dev.vertlet.harness.subject;

import org.jspecify.annotations.NullMarked;
