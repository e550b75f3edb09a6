package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.RecordedNode;
import java.util.List;
import java.util.Optional;

/**
 * How a recording is replayed.
 *
 * @param id of the replay, a label value
 * @param speed recorded time per real time, above 0
 * @param scale how many pods and nodes are made of one, 1 or more
 * @param controllers whether the cluster has Kubernetes' controllers; without them pods are made
 *     one by one as they were recorded
 * @param nodes that are there all the time in place of the recorded ones; empty for those
 */
public record PlanOptions(
    String id, double speed, int scale, boolean controllers, Optional<List<RecordedNode>> nodes) {
  /** Real milliseconds of an offset; what happened before the recording is due at once. */
  long due(long offset) {
    return Math.round(Math.max(0, offset) / speed);
  }
}
