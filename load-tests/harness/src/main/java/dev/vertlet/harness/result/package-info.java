/**
 * Results of load tests: plain records and their formats (text, JSON, JUnit XML, HTML). Independent
 * of the measurement.
 */
@NullMarked
package dev.vertlet.harness.result;

import org.jspecify.annotations.NullMarked;
