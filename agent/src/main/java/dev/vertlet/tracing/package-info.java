/**
 * Spans of requests and of pods' ways, for the exporter that the configuration names. Takes {@code
 * PodsTold}, sends nothing.
 */
@NullMarked
package dev.vertlet.tracing;

import org.jspecify.annotations.NullMarked;
