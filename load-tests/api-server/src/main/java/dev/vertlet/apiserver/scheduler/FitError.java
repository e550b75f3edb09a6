package dev.vertlet.apiserver.scheduler;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Composes the message of a pod that fits nowhere, as the real scheduler words it. */
final class FitError {
  private static final String NO_NODES = "no nodes available to schedule pods";

  private final Map<Rejection, Integer> rejections = new HashMap<>();
  private int nodes;

  void add(Rejection rejection, int count) {
    if (count > 0) {
      rejections.merge(rejection, count, Integer::sum);
      nodes += count;
    }
  }

  /** What the condition and the Event say. */
  String message() {
    if (nodes == 0) {
      return NO_NODES;
    }
    Map<String, Integer> reasons = new HashMap<>();
    int helpless = 0;
    for (var rejection : rejections.entrySet()) {
      for (String reason : rejection.getKey().reasons()) {
        reasons.merge(reason, rejection.getValue(), Integer::sum);
      }
      helpless += rejection.getKey().resolvable() ? 0 : rejection.getValue();
    }
    return "0/%d nodes are available: %s. no new claims to deallocate, %s"
        .formatted(nodes, counted(reasons), preemption(helpless));
  }

  private static String counted(Map<String, Integer> reasons) {
    TreeSet<String> lines = new TreeSet<>();
    reasons.forEach((reason, count) -> lines.add(count + " " + reason));
    return String.join(", ", lines);
  }

  /** Nobody has a lower priority here, so a search for victims never finds any. */
  private String preemption(int helpless) {
    Map<String, Integer> reasons = new HashMap<>();
    if (helpless > 0) {
      reasons.put("Preemption is not helpful for scheduling", helpless);
    }
    if (nodes > helpless) {
      reasons.put("No preemption victims found for incoming pod", nodes - helpless);
    }
    return "preemption: 0/%d nodes are available: %s.".formatted(nodes, counted(reasons));
  }
}
