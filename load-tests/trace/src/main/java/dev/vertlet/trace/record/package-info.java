/**
 * Records a cluster: {@link dev.vertlet.trace.record.RecordCommand} checks rights and the file,
 * {@link dev.vertlet.trace.record.RecordVerticle} watches, {@link
 * dev.vertlet.trace.record.Recording} decides what is written, {@link
 * dev.vertlet.trace.record.TraceSink} writes on a worker.
 *
 * <p>{@link dev.vertlet.trace.record.Recording} and all below it have no Vert.x and no clock. They
 * keep a small record of each living pod, a hash of each workload and node, and never an object.
 * Objects become part of a trace only through {@link dev.vertlet.trace.record.sanitize.AllowList}.
 *
 * <p>Context: the verticle's event loop, but for the sink's worker. Not promised: states between
 * two events of a watch, and what came and went in a gap.
 */
@NullMarked
package dev.vertlet.trace.record;

import org.jspecify.annotations.NullMarked;
