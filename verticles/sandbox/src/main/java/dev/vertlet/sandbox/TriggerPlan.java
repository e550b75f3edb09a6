package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.ImageReference;
import dev.vertlet.model.Timestamps;
import dev.vertlet.sandbox.InplaceState.LastStatus;
import dev.vertlet.sandbox.SandboxException.Reason;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans the write of a trigger for the pod as the server holds it. Pure. */
final class TriggerPlan {
  private final ObjectNode pod;
  private final UpdateOptions options;
  private final SandboxNames names;
  private final Instant now;

  private TriggerPlan(JsonNode live, UpdateOptions options, SandboxNames names, Instant now) {
    this.pod = live.deepCopy();
    this.options = options;
    this.names = names;
    this.now = now;
  }

  /**
   * Returns the pod with all changes, for one write.
   *
   * @return empty if nothing has to change
   * @throws SandboxException when the pod does not meet the options' conditions
   */
  static Optional<ObjectNode> of(
      JsonNode live, UpdateOptions options, SandboxNames names, Instant now) {
    ObjectNode planned = new TriggerPlan(live, options, names, now).plan();
    return planned.equals(live) ? Optional.empty() : Optional.of(planned);
  }

  private ObjectNode plan() {
    checkPhase();
    Map<String, String> targets = options.containerImages();
    checkContainers(targets);
    if (isThereAlready(targets)) {
      String podPhase = PodTree.podPhase(pod);
      if (!podPhase.equals("Running")) {
        throw new SandboxException(
            Reason.NOT_RUNNING, "pod is in " + podPhase + " phase, expected Running");
      }
      writeMetadata();
      complete(targets);
      return pod;
    }
    Map<String, String> changed = new LinkedHashMap<>();
    targets.forEach(
        (container, image) -> {
          if (!PodTree.image(pod, container).equals(image)) {
            changed.put(container, image);
          }
        });
    if (changed.isEmpty()) {
      writeMetadata();
      writeTarget(targets);
    } else {
      swap(changed);
    }
    return pod;
  }

  private void checkPhase() {
    String label = PodTree.label(pod, names.phase());
    String expected = options.expectedCurrentSandboxPhase();
    if (PodTree.isDeleting(pod)) {
      throw unexpected("it is being deleted");
    }
    if (!expected.isEmpty() && !expected.equals(label)) {
      throw unexpected("it is \"" + label + "\", expected \"" + expected + "\"");
    }
  }

  private static SandboxException unexpected(String why) {
    return new SandboxException(
        Reason.UNEXPECTED_PHASE, Reason.UNEXPECTED_PHASE.text() + ": " + why);
  }

  private void checkContainers(Map<String, String> targets) {
    if (targets.isEmpty()) {
      return;
    }
    List<String> containers = PodTree.containers(pod);
    if (containers.isEmpty()) {
      throw new SandboxException(Reason.NO_CONTAINERS);
    }
    for (String name : targets.keySet()) {
      if (!containers.contains(name)) {
        throw new SandboxException(
            Reason.CONTAINER_NOT_FOUND, Reason.CONTAINER_NOT_FOUND.text() + ": " + name);
      }
    }
  }

  private boolean isThereAlready(Map<String, String> targets) {
    return !targets.isEmpty()
        && options.updatePodPhase().equals(SandboxPhases.STARTING)
        && targets.entrySet().stream()
            .allMatch(t -> ImageReference.same(PodTree.image(pod, t.getKey()), t.getValue()));
  }

  private void writeMetadata() {
    ObjectNode metadata = PodTree.object(pod, "metadata");
    write(metadata, "labels", options.labels(), options.removeLabels());
    write(metadata, "annotations", options.annotations(), options.removeAnnotations());
  }

  private static void write(
      ObjectNode metadata, String map, Map<String, String> set, List<String> removed) {
    if (metadata.get(map) instanceof ObjectNode present) {
      removed.forEach(present::remove);
    }
    if (!set.isEmpty()) {
      ObjectNode present = PodTree.object(metadata, map);
      set.forEach(present::put);
    }
  }

  /** Completes the update immediately: the containers run the requested images already. */
  private void complete(Map<String, String> targets) {
    String target = options.target();
    PodEdits edits = new PodEdits(pod, names);
    edits.phase(target);
    edits.state(
        new InplaceState(
            SandboxPhases.COMPLETED,
            Map.of(),
            target,
            now,
            Map.of(),
            target.equals(SandboxPhases.RUNNING)
                ? InplaceState.stable(pod, targets.keySet())
                : Map.of(),
            unknown()));
    if (target.equals(SandboxPhases.RUNNING)) {
      edits.started(Timestamps.format(now));
    }
  }

  /** Writes the target phase immediately: no image is swapped. */
  private void writeTarget(Map<String, String> targets) {
    String target = options.target();
    PodEdits edits = new PodEdits(pod, names);
    if (!target.isEmpty()) {
      edits.phase(target);
    }
    if (!targets.isEmpty()
        && options.intermediate().equals(SandboxPhases.STOPPING)
        && target.equals(SandboxPhases.IDLE)) {
      edits.forgetClaim();
    }
  }

  private void swap(Map<String, String> changed) {
    String phase = options.intermediate();
    if (phase.equals(SandboxPhases.STARTING)) {
      checkNothingInFlight();
    }
    writeMetadata();
    Map<String, LastStatus> last = new LinkedHashMap<>();
    changed.forEach(
        (container, image) -> {
          JsonNode status = PodTree.status(pod, container);
          last.put(
              container,
              new LastStatus(
                  status.path("imageID").asText(""), status.path("containerID").asText("")));
          if (PodTree.container(pod, container) instanceof ObjectNode spec) {
            spec.put("image", image);
          }
        });
    PodEdits edits = new PodEdits(pod, names);
    edits.phase(phase);
    edits.state(new InplaceState(phase, changed, options.target(), now, last, Map.of(), unknown()));
  }

  /** Rejects a second update: the one in progress may be reverted, but not replaced. */
  private void checkNothingInFlight() {
    boolean busy;
    try {
      busy = InplaceState.of(pod, names).map(InplaceState::inFlight).orElse(false);
    } catch (SandboxException unreadable) {
      busy = false; // the label decides
    }
    String label = PodTree.label(pod, names.phase());
    if (busy || label.equals(SandboxPhases.STARTING) || label.equals(SandboxPhases.STOPPING)) {
      throw unexpected("an update is under way, it is \"" + label + "\"");
    }
  }

  private Map<String, JsonNode> unknown() {
    try {
      return InplaceState.of(pod, names).map(InplaceState::unknown).orElse(Map.of());
    } catch (SandboxException unreadable) {
      return Map.of(); // overwritten: this repairs such a pod
    }
  }
}
