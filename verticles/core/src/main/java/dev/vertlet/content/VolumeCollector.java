package dev.vertlet.content;

import dev.vertlet.content.VolumeFiles.Outcome;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Computes the contents of a pod's volumes from what is known now. */
final class VolumeCollector {
  private final Function<String, Map<String, String>> allocatable;
  private final ReferenceState.Lookup references;

  /**
   * @param allocatable of a node by its name: resource name to quantity
   * @param references what is known of an object
   */
  VolumeCollector(
      Function<String, Map<String, String>> allocatable, ReferenceState.Lookup references) {
    this.allocatable = allocatable;
    this.references = references;
  }

  /**
   * Contents of a pod's volumes.
   *
   * @param until end of a wait for one of them, epoch milliseconds; 0 for none
   */
  record Collected(Map<String, VolumeContent> contents, Map<String, String> failures, long until) {
    List<VolumeContent> volumes() {
      return List.copyOf(contents.values());
    }

    /** Returns a kubelet's message for each volume that fails. */
    List<String> setUps() {
      return failed(failures).setUps();
    }

    /** Returns the contents of all volumes; fails if one of them is not known. */
    Future<List<VolumeContent>> all() {
      if (failures.isEmpty() && until == 0) {
        return Future.succeededFuture(volumes());
      }
      String message = String.join("; ", setUps());
      return Future.failedFuture(
          new ProviderException(
              ProviderException.Kind.TEMPORARY,
              ContentServices.FAILED_MOUNT,
              message.isEmpty() ? "volumes are being read" : message));
    }
  }

  /** Returns the outcome of an attempt in which volumes have failed. */
  static VolumePreparer.Outcome.Failed failed(Map<String, String> failures) {
    List<String> setUps =
        failures.entrySet().stream()
            .map(entry -> setUpFailed(entry.getKey(), entry.getValue()))
            .toList();
    return new VolumePreparer.Outcome.Failed(List.copyOf(failures.keySet()), setUps, "");
  }

  static String setUpFailed(String volume, String message) {
    return "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(volume, message);
  }

  Collected collect(PodVolumeState pod) {
    VolumeFiles.Inputs inputs =
        new VolumeFiles.Inputs(
            pod.view(),
            allocatable.apply(pod.view().nodeName()),
            pod.owner(),
            pod.group() != null,
            references,
            pod.tokens::read);
    Map<String, VolumeContent> contents = new LinkedHashMap<>();
    Map<String, String> failures = new LinkedHashMap<>();
    long until = 0;
    for (VolumeDefinition volume : pod.knownVolumes()) {
      if (volume.source() instanceof VolumeDefinition.Files source) {
        Outcome outcome = VolumeFiles.of(volume, source, inputs);
        if (outcome instanceof Outcome.Ready ready) {
          contents.put(volume.name(), ready.content());
        } else if (outcome instanceof Outcome.Failed failed) {
          failures.put(volume.name(), failed.message());
        } else if (outcome instanceof Outcome.Waiting waiting) {
          until = earlier(until, waiting.until());
        }
      }
    }
    return new Collected(contents, failures, until);
  }

  /** Returns until when the pull secrets are awaited; 0 if they are known, or never will be. */
  long secretsUntil(PodVolumeState pod) {
    long until = 0;
    for (ReferredKey key : pod.pullSecrets()) {
      if (references.read(key) instanceof ReferenceState.Unread unread) {
        until = earlier(until, unread.until());
      }
    }
    return until;
  }

  /** Returns the earlier one of two times, of which 0 is none. */
  static long earlier(long a, long b) {
    return a == 0 || b == 0 ? a + b : Math.min(a, b);
  }
}
