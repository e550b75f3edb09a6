/** Spans of requests, for the exporter that the configuration names. */
@NullMarked
package dev.vertlet.tracing;

import org.jspecify.annotations.NullMarked;
