package dev.vertlet.trace;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * One line of a trace after the header. Offsets are milliseconds since {@link
 * TraceHeader#started()} and never decrease from line to line. What existed when the recording
 * started has offset 0.
 */
public sealed interface TraceEvent {
  /** Offset in milliseconds, 0 or more. */
  long at();

  /** A node that joined. */
  record NodeAdded(long at, RecordedNode node) implements TraceEvent {}

  /** A node with another shape than before. */
  record NodeChanged(long at, RecordedNode node) implements TraceEvent {}

  /** A node whose object was deleted. */
  record NodeLeft(long at, String name) implements TraceEvent {}

  /**
   * A workload or a bare pod that was created.
   *
   * @param object sanitised: apiVersion, kind, metadata with name, namespace and labels, and the
   *     allowed fields of the spec with its pod templates. Owned by the event; do not change it
   */
  record WorkloadAdded(long at, WorkloadRef workload, JsonObject object) implements TraceEvent {}

  /**
   * A workload whose sanitised object changed in more than its number of replicas.
   *
   * @param object as for {@link WorkloadAdded}, the whole new object
   */
  record WorkloadChanged(long at, WorkloadRef workload, JsonObject object) implements TraceEvent {}

  /**
   * A workload of which {@code spec.replicas} alone changed; for a Job, {@code spec.parallelism}.
   *
   * @param replicas 0 or more
   */
  record WorkloadScaled(long at, WorkloadRef workload, int replicas) implements TraceEvent {}

  /** A workload or a bare pod that was removed. */
  record WorkloadDeleted(long at, WorkloadRef workload) implements TraceEvent {}

  /** A state in a pod's life; see {@link PodLife} for which record of a pod holds. */
  record PodLived(long at, PodLife life) implements TraceEvent {}

  /**
   * A time that was not watched. What happened in it is recorded with the offset of its end, as far
   * as it can still be seen then; objects that came and went in it are missing.
   *
   * @param from offset in milliseconds of the last moment that was watched
   * @param to offset in milliseconds from which on everything is watched again
   * @param cause {@code recorder} for a recorder that did not run, {@code watch} for a watch that
   *     had to be listed anew, {@code server} for an API server that did not answer: what happened
   *     then is recorded late, and nothing is missing unless a watch has a gap too
   * @param resource for example {@code deployments.apps}; null for all
   */
  record Gap(long at, long from, long to, String cause, @Nullable String resource)
      implements TraceEvent {
    public static final String RECORDER = "recorder";
    public static final String WATCH = "watch";
    public static final String SERVER = "server";
  }

  /** The recorder stopped in order. More may follow if the recording was continued later. */
  record RecordingEnded(long at) implements TraceEvent {}
}
