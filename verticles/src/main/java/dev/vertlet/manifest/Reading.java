package dev.vertlet.manifest;

import dev.vertlet.model.PodRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that one source holds now.
 *
 * @param pods in the order of the source; no two have one name
 * @param problems what was left out, and why
 */
public record Reading(List<StaticPod> pods, List<Problem> problems) {
  /** A source without pods. */
  public static final Reading EMPTY = new Reading(List.of(), List.of());

  public Reading {
    pods = List.copyOf(pods);
    problems = List.copyOf(problems);
  }

  /**
   * Something that is left out.
   *
   * @param place file or URL
   * @param pod null when it did not get as far as being one
   * @param event what a kubelet says of the pod, empty without one
   */
  public record Problem(String place, String reason, @Nullable PodRef pod, String event) {
    /** What people read about it. */
    @Override
    public String toString() {
      return place + ": " + reason;
    }
  }

  /** Without the pods that somebody has an objection to. */
  public Reading without(Function<StaticPod, Optional<String>> objection) {
    Collector collected = new Collector();
    collected.problems.addAll(problems);
    for (StaticPod pod : pods) {
      Optional<String> reason = objection.apply(pod);
      if (reason.isPresent()) {
        collected.refuse(
            pod.fullName(), new ManifestException(reason.get(), pod.ref()), pod.source());
      } else {
        collected.pods.add(pod);
      }
    }
    return collected.done();
  }

  /** Collects pods of one source, one after another. */
  public static final class Collector {
    private final List<StaticPod> pods = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /** Takes a pod, unless the source had one of its name before. */
    public void add(StaticPod pod, String place) {
      if (names.add(pod.fullName())) {
        pods.add(pod);
        return;
      }
      String name = pod.view().name();
      problems.add(
          new Problem(
              place,
              "duplicate pod name \"" + name + "\"",
              pod.ref(),
              "Error validating pod %s from %s due to duplicate pod name \"%s\", ignoring"
                  .formatted(pod, pod.source(), name)));
    }

    /** A pod, or what should be one, cannot be used. */
    public void refuse(String place, ManifestException failure, String source) {
      PodRef pod = failure.pod();
      String event =
          pod == null
              ? ""
              : "Error validating pod %s_%s(%s) from %s, ignoring: %s"
                  .formatted(pod.name(), pod.namespace(), pod.uid(), source, failure.reason());
      problems.add(new Problem(place, failure.reason(), pod, event));
    }

    public void refuse(String place, String reason) {
      problems.add(new Problem(place, reason, null, ""));
    }

    public Reading done() {
      return new Reading(pods, problems);
    }
  }
}
