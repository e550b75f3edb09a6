package dev.vertlet.kubelet.volume;

import dev.vertlet.env.ReferenceState;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.pod.VolumeView.Source;
import dev.vertlet.model.reference.ClaimView;
import dev.vertlet.model.reference.PersistentVolumeView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The PersistentVolumes behind the claims of a pod's volumes.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/kubelet/volumemanager/populator">
 *     createVolumeSpec, kubelet 1.36.3</a>
 */
final class VolumeClaims {
  private final PodView pod;
  private final ReferenceState.Lookup lookup;

  VolumeClaims(PodView pod, ReferenceState.Lookup lookup) {
    this.pod = pod;
    this.lookup = lookup;
  }

  /** Result of looking up a claim. */
  sealed interface Claimed {
    /** The claim is bound to this volume. */
    record Bound(PersistentVolumeView volume) implements Claimed {}

    /**
     * The claim or its volume is still being read.
     *
     * @param until end of the wait, epoch milliseconds
     */
    record Waiting(long until) implements Claimed {}

    /**
     * The claim cannot be used now.
     *
     * @param message a kubelet's
     */
    record Failed(String message) implements Claimed {}
  }

  static boolean isClaim(Source source) {
    return source.kind() == ReferredKind.PERSISTENT_VOLUME_CLAIM;
  }

  /** Returns the claim, and its volume once that is known and usable. */
  Set<ReferredKey> references(VolumeView volume, Source source) {
    Set<ReferredKey> keys = new LinkedHashSet<>();
    ReferredKey claim = key(volume, source);
    keys.add(claim);
    if (lookup.read(claim) instanceof ReferenceState.Known known
        && !known.objects().isEmpty()
        && known.objects().get(0) instanceof ClaimView view
        && wrong(view).isEmpty()) {
      keys.add(key(view));
    }
    return keys;
  }

  Claimed find(VolumeView volume, Source source) {
    ReferredKey key = key(volume, source);
    ReferenceState reading = lookup.read(key);
    if (reading instanceof ReferenceState.Unread unread) {
      return new Claimed.Waiting(unread.until());
    }
    String missing = missing(reading, "persistentvolumeclaims", key.name());
    if (!missing.isEmpty()) {
      return failed(key, "failed to fetch PVC from API server: " + missing);
    }
    ClaimView claim = (ClaimView) object(reading);
    if (volume.kind().equals("ephemeral") && !claim.controllerUid().equals(pod.uid())) {
      return new Claimed.Failed(
          "PVC %1$s/%2$s was not created for pod %1$s/%3$s (pod is not owner)"
              .formatted(pod.namespace(), claim.name(), pod.name()));
    }
    String wrong = wrong(claim);
    return wrong.isEmpty() ? volume(key, claim) : failed(key, wrong);
  }

  private Claimed volume(ReferredKey key, ClaimView claim) {
    ReferenceState reading = lookup.read(key(claim));
    if (reading instanceof ReferenceState.Unread unread) {
      return new Claimed.Waiting(unread.until());
    }
    String name = claim.volumeName();
    String missing = missing(reading, "persistentvolumes", name);
    if (!missing.isEmpty()) {
      return failed(key, "failed to fetch PV " + name + " from API server: " + missing);
    }
    PersistentVolumeView found = (PersistentVolumeView) object(reading);
    String claimUid = found.claimUid();
    if (claimUid == null) {
      return failed(
          key,
          "found PV object %s but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim"
              .formatted(name));
    }
    return claimUid.equals(claim.uid())
        ? new Claimed.Bound(found)
        : failed(
            key,
            "found PV object %s but its pv.Spec.ClaimRef.UID %s does not point to claim.UID %s"
                .formatted(name, claimUid, claim.uid()));
  }

  private static String wrong(ClaimView claim) {
    if (claim.leaving()) {
      return "PVC is being deleted";
    }
    if (!claim.phase().equals("Bound")) {
      return "PVC is not bound";
    }
    return claim.volumeName().isEmpty() ? "PVC has empty pvc.Spec.VolumeName" : "";
  }

  /** Returns why the object is missing; empty if it exists. */
  private static String missing(ReferenceState reading, String resource, String name) {
    if (reading instanceof ReferenceState.Unavailable unavailable) {
      return unavailable.message();
    }
    return ((ReferenceState.Known) reading).objects().isEmpty()
        ? "%s \"%s\" not found".formatted(resource, name)
        : "";
  }

  private static ReferredView object(ReferenceState reading) {
    return ((ReferenceState.Known) reading).objects().get(0);
  }

  private static Claimed failed(ReferredKey claim, String why) {
    return new Claimed.Failed(
        "error processing PVC %s/%s: %s".formatted(claim.namespace(), claim.name(), why));
  }

  /** Returns the ids of the groups that own the volumes' files, each once. */
  List<Long> groups() {
    Set<Long> groups = new LinkedHashSet<>();
    for (VolumeView volume : pod.spec().placement().volumes()) {
      for (Source source : volume.sources()) {
        if (isClaim(source) && find(volume, source) instanceof Claimed.Bound bound) {
          parse(bound.volume().gid(), groups);
        }
      }
    }
    return new ArrayList<>(groups);
  }

  private static void parse(String gid, Set<Long> groups) {
    try {
      groups.add(Long.parseLong(gid));
    } catch (NumberFormatException e) {
      return; // ignored silently, as in a kubelet
    }
  }

  private ReferredKey key(VolumeView volume, Source source) {
    String name =
        volume.kind().equals("ephemeral") ? pod.name() + "-" + volume.name() : source.name();
    return new ReferredKey(ReferredKind.PERSISTENT_VOLUME_CLAIM, pod.namespace(), name);
  }

  private static ReferredKey key(ClaimView claim) {
    return new ReferredKey(ReferredKind.PERSISTENT_VOLUME, "", claim.volumeName());
  }
}
