package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The write that marks an update as complete. Pure. */
final class CompletionPlan {
  private CompletionPlan() {}

  /**
   * Returns the pod to write.
   *
   * @param state state of {@code live}, in flight
   */
  static ObjectNode of(JsonNode live, InplaceState state, SandboxNames names, Instant now) {
    ObjectNode pod = live.deepCopy();
    String current = PodTree.label(live, names.phase());
    String target = state.targetPodPhase().isEmpty() ? current : state.targetPodPhase();
    boolean running = target.equals(SandboxPhases.RUNNING);
    List<String> targeted = List.copyOf(state.targetImages().keySet());
    PodEdits edits = new PodEdits(pod, names);
    edits.phase(target);
    edits.state(
        new InplaceState(
            SandboxPhases.COMPLETED,
            state.targetImages(),
            state.targetPodPhase(),
            now,
            Map.of(),
            running ? InplaceState.stable(live, targeted) : Map.of(),
            state.unknown()));
    if (running) {
      edits.started(Timestamps.format(now));
    } else if (target.equals(SandboxPhases.IDLE)) {
      edits.forgetClaim();
    }
    return pod;
  }
}
