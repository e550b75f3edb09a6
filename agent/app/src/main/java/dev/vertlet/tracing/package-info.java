/**
 * Spans of requests and of pod timelines, for the configured exporter. Receives {@code PodStats},
 * sends nothing.
 */
@NullMarked
package dev.vertlet.tracing;

import org.jspecify.annotations.NullMarked;
