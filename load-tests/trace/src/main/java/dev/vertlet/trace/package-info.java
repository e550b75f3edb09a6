/**
 * The trace format: what a recording of a cluster contains, and how it is read and written.
 *
 * <p>A trace is one file of gzip-compressed JSON lines: a {@link dev.vertlet.trace.TraceHeader},
 * then {@link dev.vertlet.trace.TraceEvent}s in the order of their offsets. docs/trace-format.md
 * describes the fields. {@link dev.vertlet.trace.TraceReader} and {@link
 * dev.vertlet.trace.TraceWriter} block; call them on a worker. Nothing here knows Vert.x contexts,
 * clusters or clocks.
 *
 * <p>Not promised: a file that two writers append to at the same time.
 */
@NullMarked
package dev.vertlet.trace;

import org.jspecify.annotations.NullMarked;
