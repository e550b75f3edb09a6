package dev.vertlet.apiserver.scheduler;

import java.util.List;

/**
 * Why a node does not take a pod.
 *
 * @param reasons in the words of the real scheduler's filters
 * @param resolvable whether the eviction of other pods could help
 */
record Rejection(List<String> reasons, boolean resolvable) {
  static final Rejection UNSCHEDULABLE = unresolvable("node(s) were unschedulable");
  static final Rejection TAINTED = unresolvable("node(s) had untolerated taint(s)");
  static final Rejection AFFINITY =
      unresolvable("node(s) didn't match Pod's node affinity/selector");

  /** For nodes that the pod's affinity excludes by name: the real scheduler does not visit them. */
  static final Rejection NOT_NAMED =
      unresolvable("node(s) didn't satisfy plugin(s) [NodeAffinity]");

  Rejection {
    reasons = List.copyOf(reasons);
  }

  private static Rejection unresolvable(String reason) {
    return new Rejection(List.of(reason), false);
  }
}
