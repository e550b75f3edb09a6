package dev.vertlet.kubelet.volume;

import dev.vertlet.env.ReferenceState;
import dev.vertlet.env.VolumePreparer.Outcome;
import dev.vertlet.kubelet.volume.VolumeClaims.Claimed;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.pod.VolumeView.Source;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks whether a pod's volumes can be mounted, as a kubelet does before it creates the pod's
 * sandbox.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/volume">configmap, secret
 *     and projected, kubelet 1.36.3</a>
 */
public final class VolumeMounts {
  private static final Outcome MOUNTED = new Outcome.Mounted();

  private final PodView pod;
  private final boolean complete;
  private final ReferenceState.Lookup lookup;
  private final VolumeClaims claims;
  private OptionalLong wait = OptionalLong.empty();

  /**
   * Creates a check.
   *
   * @param complete whether the runtime uses claims, too, which must then be bound
   * @param lookup current readings of the objects that the pod's volumes refer to
   */
  public VolumeMounts(PodView pod, boolean complete, ReferenceState.Lookup lookup) {
    this.pod = pod;
    this.complete = complete;
    this.lookup = lookup;
    this.claims = new VolumeClaims(pod, lookup);
  }

  /** Objects to read before the pod's volumes can be mounted, optional or not. */
  public Set<ReferredKey> references() {
    Set<ReferredKey> keys = new LinkedHashSet<>();
    for (VolumeView volume : pod.spec().placement().volumes()) {
      for (Source source : volume.sources()) {
        if (!VolumeClaims.isClaim(source)) {
          keys.add(key(source));
        } else if (complete) {
          keys.addAll(claims.references(volume, source));
        }
      }
    }
    return keys;
  }

  /**
   * Ids of the groups that may use the claims' volumes, in addition to those of the pod: {@code
   * pv.beta.kubernetes.io/gid} of the PersistentVolumes.
   */
  public List<Long> groups() {
    return complete ? claims.groups() : List.of();
  }

  /**
   * Checks all volumes with the current readings.
   *
   * @param mountable whether the runtime mounts volumes of a kind
   */
  public Outcome check(Predicate<String> mountable) {
    List<VolumeView> volumes = pod.spec().placement().volumes();
    if (volumes.isEmpty()) {
      return MOUNTED;
    }
    Map<String, String> unprocessed = new LinkedHashMap<>();
    List<String> unmounted = new ArrayList<>(0);
    List<String> setUps = new ArrayList<>(0);
    for (VolumeView volume : volumes) {
      if (mountable.test(volume.kind())) {
        List<String> wrong = new ArrayList<>(0);
        for (Source source : volume.sources()) {
          if (!VolumeClaims.isClaim(source)) {
            look(source, wrong);
          } else if (complete) {
            claimed(volume, source, unprocessed);
          }
        }
        if (!wrong.isEmpty()) {
          unmounted.add(volume.name());
          setUps.add(
              "MountVolume.SetUp failed for volume \"%s\" : %s"
                  .formatted(volume.name(), aggregate(wrong)));
        }
      } else {
        unprocessed.put(
            volume.name(),
            "failed to get Plugin from volumeSpec for volume \"%s\" err=no volume plugin matched"
                .formatted(volume.name()));
      }
    }
    if (wait.isPresent()) {
      return new Outcome.Waiting(wait.getAsLong());
    }
    unmounted.addAll(unprocessed.keySet());
    return unmounted.isEmpty()
        ? MOUNTED
        : new Outcome.Failed(
            unmounted, setUps, unprocessed.isEmpty() ? "" : unprocessed(unprocessed));
  }

  private void claimed(VolumeView volume, Source source, Map<String, String> unprocessed) {
    Claimed claimed = claims.find(volume, source);
    if (claimed instanceof Claimed.Waiting waiting) {
      wait = OptionalLong.of(waiting.until());
    } else if (claimed instanceof Claimed.Failed failed) {
      unprocessed.put(volume.name(), failed.message());
    }
  }

  private static String unprocessed(Map<String, String> reasons) {
    String names = String.join(" ", reasons.keySet());
    return ("Unable to attach or mount volumes: unmounted volumes=[%1$s], unattached volumes=[],"
            + " failed to process volumes=[%1$s]: %2$s")
        .formatted(names, String.join("; ", reasons.values()));
  }

  /** Formats several messages as Go's aggregate error does. */
  private static String aggregate(List<String> wrong) {
    return wrong.size() == 1
        ? wrong.get(0)
        : "[" + String.join(", ", new LinkedHashSet<>(wrong)) + "]";
  }

  private void look(Source source, List<String> wrong) {
    ReferenceState reading = lookup.read(key(source));
    if (reading instanceof ReferenceState.Unread unread) {
      wait = OptionalLong.of(unread.until());
    } else if (reading instanceof ReferenceState.Unavailable unavailable) {
      wrong.add(unavailable.message());
    } else if (reading instanceof ReferenceState.Known known) {
      compare(source, known.objects(), wrong);
    }
  }

  private static void compare(Source source, List<ReferredView> found, List<String> wrong) {
    if (source.optional()) {
      return;
    }
    if (found.isEmpty() || !(found.get(0) instanceof DataView data)) {
      wrong.add("%s \"%s\" not found".formatted(source.kind().resource(), source.name()));
      return;
    }
    for (String key : source.keys()) {
      if (!data.has(key)) {
        wrong.add(
            source.kind() == ReferredKind.SECRET
                ? "references non-existent secret key: " + key
                : "configmap references non-existent config key: " + key);
        return;
      }
    }
  }

  private ReferredKey key(Source source) {
    return new ReferredKey(source.kind(), pod.namespace(), source.name());
  }
}
