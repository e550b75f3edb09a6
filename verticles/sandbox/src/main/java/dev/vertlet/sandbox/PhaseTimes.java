package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/** Start of a pod's phase. Pure. */
final class PhaseTimes {
  private PhaseTimes() {}

  /**
   * When the pod entered a phase.
   *
   * @param phase empty for the current one
   * @return empty if the pod is not in that phase
   * @throws SandboxException {@link SandboxException.Reason#UNREADABLE_STATE}
   */
  static Optional<Instant> since(JsonNode pod, String phase, SandboxNames names) {
    String current = PodTree.label(pod, names.phase());
    String asked = phase.isEmpty() ? current : phase;
    if (asked.isEmpty() || !asked.equals(current)) {
      return Optional.empty();
    }
    Optional<InplaceState> state = InplaceState.of(pod, names);
    Optional<Instant> recorded =
        state.filter(s -> records(s, asked)).flatMap(s -> Optional.ofNullable(s.updateTimestamp()));
    return recorded.isPresent() ? recorded : PodTree.created(pod);
  }

  private static boolean records(InplaceState state, String phase) {
    return switch (phase) {
      case SandboxPhases.STARTING, SandboxPhases.STOPPING -> state.phase().equals(phase);
      case SandboxPhases.RUNNING, SandboxPhases.IDLE ->
          state.phase().equals(SandboxPhases.COMPLETED)
              && (state.targetPodPhase().isEmpty() || state.targetPodPhase().equals(phase));
      default -> false;
    };
  }
}
