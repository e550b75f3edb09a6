package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxOperations;
import dev.vertlet.sandbox.SandboxPhases;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides the next step for a pod from the pod alone. Pure. */
final class PodRules {
  private final PoolSpec spec;
  private final SandboxOperations operations;
  private final SandboxNames names;
  private final @Nullable PodTemplate template;

  PodRules(PoolSpec spec, SandboxOperations operations, @Nullable PodTemplate template) {
    this.spec = spec;
    this.operations = operations;
    this.names = operations.names();
    this.template = template;
  }

  PodStep next(JsonNode pod, Instant now) {
    if (PodTree.isDeleting(pod)) {
      return PodTree.hasFinalizer(pod, names.finalizer()) ? PodStep.LET_GO : PodStep.NOTHING;
    }
    if (isOver(pod)) {
      return spec.replaceFailed() ? PodStep.REMOVE : PodStep.NOTHING;
    }
    try {
      return switch (operations.phase(pod)) {
        case SandboxPhases.IDLE -> idle(pod);
        case SandboxPhases.STARTING ->
            older(pod, startupTimeout(pod), now) ? PodStep.GIVE_UP : PodStep.LOOK;
        case SandboxPhases.STOPPING ->
            older(pod, spec.startupTimeout(), now) ? PodStep.REMOVE : PodStep.LOOK;
        case SandboxPhases.RUNNING -> running(pod, now);
        default -> PodStep.NOTHING;
      };
    } catch (SandboxException unreadable) {
      // the pod would stay in its phase for ever: its update cannot be read
      return operations.phase(pod).equals(SandboxPhases.RUNNING) ? PodStep.NOTHING : PodStep.REMOVE;
    }
  }

  /** Whether the pod serves a claim, or starts to. */
  boolean isServing(JsonNode pod) {
    String phase = operations.phase(pod);
    return phase.equals(SandboxPhases.STARTING) || phase.equals(SandboxPhases.RUNNING);
  }

  /** Whether the pod's containers have ended and will not restart. */
  boolean isOver(JsonNode pod) {
    String phase = PodTree.podPhase(pod);
    return phase.equals("Failed")
        || phase.equals("Succeeded")
        || operations.phase(pod).equals(SandboxPhases.FAILED);
  }

  private PodStep idle(JsonNode pod) {
    boolean outdated =
        template != null && !PodTree.label(pod, names.templateHash()).equals(template.hash());
    if (outdated) {
      return PodStep.RENEW;
    }
    return PodTree.isReady(pod) && !PodTree.hasAnnotation(pod, names.scaleDownProtected())
        ? PodStep.OFFER
        : PodStep.NOTHING;
  }

  private PodStep running(JsonNode pod, Instant now) {
    if (operations.hasUnexpectedRestart(pod)) {
      return PodStep.END_RESTARTED;
    }
    Duration limit = seconds(pod, names.idleTimeout(), spec.idleTimeout());
    boolean unused =
        !limit.isZero()
            && PodTree.time(pod, names.lastActive())
                .map(last -> Duration.between(last, now).compareTo(limit) > 0)
                .orElse(false);
    return unused ? PodStep.END_UNUSED : PodStep.NOTHING;
  }

  private boolean older(JsonNode pod, Duration limit, Instant now) {
    return operations
        .phaseDuration(pod, "", now)
        .map(age -> age.compareTo(limit) > 0)
        .orElse(false);
  }

  private Duration startupTimeout(JsonNode pod) {
    return seconds(pod, names.startupTimeout(), spec.startupTimeout());
  }

  /** Reads seconds from an annotation; the fallback if it is not a number. */
  private static Duration seconds(JsonNode pod, String annotation, Duration fallback) {
    String text = PodTree.annotation(pod, annotation);
    return text.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : fallback;
  }
}
