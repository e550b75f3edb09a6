/**
 * Commands on trace files: {@code vertlet trace show|stats|cut|scale|import}, and the registration
 * of {@code vertlet record}. {@link dev.vertlet.trace.tool.TraceCut}, {@link
 * dev.vertlet.trace.tool.TraceScale} and {@link dev.vertlet.trace.tool.TraceStats} are pure; they
 * keep one life of each pod of a trace in memory.
 */
@NullMarked
package dev.vertlet.trace.tool;

import org.jspecify.annotations.NullMarked;
