package dev.vertlet.testing;

import dev.vertlet.model.NetworkView;
import dev.vertlet.model.PlacementView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RestartPolicy;
import java.util.List;
import java.util.Map;

/** Pods of which it matters what they ask of their node, and how firmly. */
public final class PlacedPods {
  private PlacedPods() {}

  /** A pod without labels and annotations. */
  public static PodView pod(PodRef ref, String node, int priority, PlacementView placement) {
    return pod(ref, node, Map.of(), Map.of(), priority, placement);
  }

  public static PodView pod(
      PodRef ref,
      String node,
      Map<String, String> labels,
      Map<String, String> annotations,
      int priority,
      PlacementView placement) {
    PodSpecView spec =
        new PodSpecView(
            1,
            RestartPolicy.ALWAYS,
            30,
            null,
            false,
            priority,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            "",
            true,
            placement,
            NetworkView.DEFAULT);
    return new PodView(
        ref, 1, 1, node, labels, annotations, null, null, null, null, spec, PodStatusView.EMPTY);
  }
}
