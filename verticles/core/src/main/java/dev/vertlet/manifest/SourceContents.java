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
 * Content of one source.
 *
 * @param pods in the order of the source; names are unique
 * @param problems manifests and pods that were left out, and why
 */
public record SourceContents(List<StaticPod> pods, List<Problem> problems) {
  /** A source without pods. */
  public static final SourceContents EMPTY = new SourceContents(List.of(), List.of());

  public SourceContents {
    pods = List.copyOf(pods);
    problems = List.copyOf(problems);
  }

  /**
   * A manifest or pod that was left out.
   *
   * @param place file or URL
   * @param pod null if it could not be identified
   * @param event a kubelet's message about the pod, empty without one
   */
  public record Problem(String place, String reason, @Nullable PodRef pod, String event) {
    /** Text for people. */
    @Override
    public String toString() {
      return place + ": " + reason;
    }
  }

  /** Moves the pods with an objection to the problems. */
  public SourceContents without(Function<StaticPod, Optional<String>> objection) {
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

  /** Collects the pods of one source. */
  public static final class Collector {
    private final List<StaticPod> pods = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /** Adds a pod, unless the source already has one of its name. */
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

    /** Adds a problem of a pod or manifest that cannot be used. */
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

    public SourceContents done() {
      return new SourceContents(pods, problems);
    }
  }
}
