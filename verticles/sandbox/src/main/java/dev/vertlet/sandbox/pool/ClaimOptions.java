package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vertlet.model.Names;
import dev.vertlet.model.Timestamps;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxPhases;
import dev.vertlet.sandbox.UpdateOptions;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The update that claims an idle pod. Pure. */
final class ClaimOptions {
  private ClaimOptions() {}

  /**
   * Validates a claim.
   *
   * @throws SandboxException {@link Reason#INVALID_OPTION} or {@link Reason#IMAGE_REQUIRED}
   */
  static void check(ClaimRequest claim, PoolSpec spec, SandboxNames names) {
    if (claim.id().isEmpty()) {
      throw invalid("id must not be empty");
    }
    Names.checkLabelValue(claim.id())
        .ifPresent(
            why -> {
              throw invalid("id \"" + claim.id() + "\": " + why);
            });
    if (claim.images().isEmpty()) {
      throw new SandboxException(Reason.IMAGE_REQUIRED);
    }
    checkKeys("labels", claim.labels(), spec, names);
    checkKeys("annotations", claim.annotations(), spec, names);
    UpdateOptions.NONE
        .withImages(claim.images())
        .withMetadata(claim.labels(), claim.annotations())
        .check(names);
    positive("wait", claim.patience());
    positive("startupTimeout", claim.startupTimeout());
    positive("idleTimeout", claim.idleTimeout());
  }

  private static void positive(String key, @Nullable Duration value) {
    if (value != null && value.isNegative()) {
      throw invalid(key + " must not be negative");
    }
  }

  private static void checkKeys(
      String what, Map<String, String> set, PoolSpec spec, SandboxNames names) {
    JsonNode own =
        spec.template() == null
            ? JsonNodeFactory.instance.missingNode()
            : spec.template().path("metadata").path(what);
    for (String key : set.keySet()) {
      if (key.startsWith(names.prefix())) {
        throw invalid(what + ": \"" + key + "\" must not begin with " + names.prefix());
      }
      if (own.has(key)) {
        throw invalid(what + ": \"" + key + "\" belongs to the pods of the pool");
      }
    }
  }

  private static SandboxException invalid(String why) {
    return new SandboxException(Reason.INVALID_OPTION, why);
  }

  /**
   * Returns the update for a claim.
   *
   * @param pod any pod of the pool: names the first container
   */
  static UpdateOptions of(ClaimRequest claim, JsonNode pod, SandboxNames names, Instant now) {
    Map<String, String> images = new LinkedHashMap<>();
    claim.images().forEach((container, image) -> images.put(container(container, pod), image));
    Map<String, String> labels = new LinkedHashMap<>(claim.labels());
    labels.put(names.id(), claim.id());
    labels.put(names.managedBy(), SandboxNames.MANAGER);
    Map<String, String> annotations = new LinkedHashMap<>(claim.annotations());
    annotations.put(names.id(), claim.id());
    annotations.put(names.claimedAt(), Timestamps.format(now));
    seconds(annotations, names.startupTimeout(), claim.startupTimeout());
    seconds(annotations, names.idleTimeout(), claim.idleTimeout());
    list(annotations, names.managedLabels(), claim.labels());
    list(annotations, names.managedAnnotations(), claim.annotations());
    return UpdateOptions.NONE
        .withImages(images)
        .withMetadata(labels, annotations)
        .without(List.of(), List.of(names.scaleDownProtected()))
        .phases(SandboxPhases.STARTING, SandboxPhases.RUNNING)
        .expecting(SandboxPhases.IDLE)
        .once();
  }

  private static String container(String name, JsonNode pod) {
    return name.isEmpty() ? PodTree.containers(pod).stream().findFirst().orElse("") : name;
  }

  private static void seconds(
      Map<String, String> annotations, String key, @Nullable Duration value) {
    if (value != null) {
      annotations.put(key, Long.toString(value.toSeconds()));
    }
  }

  private static void list(Map<String, String> annotations, String key, Map<String, String> added) {
    if (!added.isEmpty()) {
      ArrayNode keys = JsonNodeFactory.instance.arrayNode();
      added.keySet().forEach(keys::add);
      annotations.put(key, keys.toString());
    }
  }
}
