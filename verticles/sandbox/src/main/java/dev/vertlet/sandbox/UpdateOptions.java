package dev.vertlet.sandbox;

import dev.vertlet.model.ImageReference;
import dev.vertlet.model.Names;
import dev.vertlet.sandbox.SandboxException.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes of a trigger.
 *
 * @param containerImages new image by container
 * @param labels to set
 * @param annotations to set
 * @param removeLabels keys
 * @param removeAnnotations keys
 * @param targetPodPhase phase label after the update; empty for running if there are images, else
 *     for no change
 * @param updatePodPhase phase label while images are swapped: starting or stopping; empty for
 *     starting, but then the update does not complete immediately if the image is unchanged
 * @param expectedCurrentSandboxPhase required phase label; empty for any
 * @param disableRetry reports a conflict instead of retrying
 */
public record UpdateOptions(
    Map<String, String> containerImages,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> removeLabels,
    List<String> removeAnnotations,
    String targetPodPhase,
    String updatePodPhase,
    String expectedCurrentSandboxPhase,
    boolean disableRetry) {
  /** Changes nothing. */
  public static final UpdateOptions NONE =
      new UpdateOptions(Map.of(), Map.of(), Map.of(), List.of(), List.of(), "", "", "", false);

  public UpdateOptions {
    containerImages = new LinkedHashMap<>(containerImages);
    labels = new LinkedHashMap<>(labels);
    annotations = new LinkedHashMap<>(annotations);
    removeLabels = List.copyOf(removeLabels);
    removeAnnotations = List.copyOf(removeAnnotations);
  }

  public UpdateOptions withImages(Map<String, String> images) {
    return new UpdateOptions(
        images,
        labels,
        annotations,
        removeLabels,
        removeAnnotations,
        targetPodPhase,
        updatePodPhase,
        expectedCurrentSandboxPhase,
        disableRetry);
  }

  public UpdateOptions withMetadata(Map<String, String> setLabels, Map<String, String> set) {
    return new UpdateOptions(
        containerImages,
        setLabels,
        set,
        removeLabels,
        removeAnnotations,
        targetPodPhase,
        updatePodPhase,
        expectedCurrentSandboxPhase,
        disableRetry);
  }

  public UpdateOptions without(List<String> labelKeys, List<String> annotationKeys) {
    return new UpdateOptions(
        containerImages,
        labels,
        annotations,
        labelKeys,
        annotationKeys,
        targetPodPhase,
        updatePodPhase,
        expectedCurrentSandboxPhase,
        disableRetry);
  }

  /**
   * Sets the phases.
   *
   * @param update while images are swapped
   * @param target after the update
   */
  public UpdateOptions phases(String update, String target) {
    return new UpdateOptions(
        containerImages,
        labels,
        annotations,
        removeLabels,
        removeAnnotations,
        target,
        update,
        expectedCurrentSandboxPhase,
        disableRetry);
  }

  public UpdateOptions expecting(String phase) {
    return new UpdateOptions(
        containerImages,
        labels,
        annotations,
        removeLabels,
        removeAnnotations,
        targetPodPhase,
        updatePodPhase,
        phase,
        disableRetry);
  }

  public UpdateOptions once() {
    return new UpdateOptions(
        containerImages,
        labels,
        annotations,
        removeLabels,
        removeAnnotations,
        targetPodPhase,
        updatePodPhase,
        expectedCurrentSandboxPhase,
        true);
  }

  /** Phase label while images are swapped. */
  String intermediate() {
    return updatePodPhase.isEmpty() ? SandboxPhases.STARTING : updatePodPhase;
  }

  /** Phase label after the update; empty for no change. */
  String target() {
    return targetPodPhase.isEmpty() && !containerImages.isEmpty()
        ? SandboxPhases.RUNNING
        : targetPodPhase;
  }

  /**
   * Validates the options without a pod.
   *
   * @throws SandboxException {@link Reason#IMAGE_REQUIRED} or {@link Reason#INVALID_OPTION}
   */
  public void check(SandboxNames names) {
    containerImages.forEach(UpdateOptions::checkImage);
    if (!updatePodPhase.isEmpty()
        && !updatePodPhase.equals(SandboxPhases.STARTING)
        && !updatePodPhase.equals(SandboxPhases.STOPPING)) {
      throw invalid("updatePodPhase \"" + updatePodPhase + "\" must be starting or stopping");
    }
    Names.checkLabelValue(targetPodPhase).ifPresent(w -> refuse("targetPodPhase", w));
    checkKeys("labels", labels, removeLabels, names.phase());
    checkKeys("annotations", annotations, removeAnnotations, names.state());
    labels.forEach(
        (key, value) ->
            Names.checkLabelValue(value)
                .ifPresent(w -> refuse("labels: " + key + ": \"" + value + "\"", w)));
  }

  private static void checkImage(String container, String image) {
    String where = container.isEmpty() ? "" : "container \"" + container + "\": ";
    if (image.isBlank()) {
      throw new SandboxException(Reason.IMAGE_REQUIRED, where + Reason.IMAGE_REQUIRED.text());
    }
    try {
      ImageReference.parse(image);
    } catch (IllegalArgumentException e) {
      throw invalid(where + e.getMessage());
    }
  }

  private static void checkKeys(
      String what, Map<String, String> set, List<String> removed, String reserved) {
    for (String key : set.keySet()) {
      Optional<String> wrong = Names.checkLabelKey(key);
      if (wrong.isPresent()) {
        throw invalid(what + ": \"" + key + "\": " + wrong.get());
      }
      if (removed.contains(key)) {
        throw invalid(what + ": \"" + key + "\" must not be both set and removed");
      }
    }
    if (set.containsKey(reserved) || removed.contains(reserved)) {
      throw invalid(what + ": \"" + reserved + "\" is written by the update itself");
    }
  }

  private static void refuse(String what, String why) {
    throw invalid(what + ": " + why);
  }

  static SandboxException invalid(String why) {
    return new SandboxException(Reason.INVALID_OPTION, why);
  }
}
