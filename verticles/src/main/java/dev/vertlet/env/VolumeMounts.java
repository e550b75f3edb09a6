package dev.vertlet.env;

import dev.vertlet.model.DataView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.ReferredKind;
import dev.vertlet.model.ReferredView;
import dev.vertlet.model.VolumeView;
import dev.vertlet.model.VolumeView.Source;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whether a pod's volumes can be mounted, as a kubelet finds out before it makes the pod's sandbox.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/volume">configmap, secret
 *     and projected, kubelet 1.36.3</a>
 */
public final class VolumeMounts {
  private final String namespace;
  private final Predicate<String> mountable;
  private final Reading.Lookup lookup;
  private OptionalLong wait = OptionalLong.empty();

  private VolumeMounts(String namespace, Predicate<String> mountable, Reading.Lookup lookup) {
    this.namespace = namespace;
    this.mountable = mountable;
    this.lookup = lookup;
  }

  /** What became of the attempt. */
  public sealed interface Outcome {
    /** All are there. */
    record Mounted() implements Outcome {}

    /**
     * Something in them is still being read.
     *
     * @param until when to give up waiting, epoch milliseconds
     */
    record Waiting(long until) implements Outcome {}

    /**
     * At least one cannot be mounted now.
     *
     * @param messages a kubelet's, one for each such volume
     */
    record Failed(List<String> messages) implements Outcome {
      public Failed {
        messages = List.copyOf(messages);
      }
    }
  }

  private static final Outcome MOUNTED = new Outcome.Mounted();

  /** Objects that have to be read before the pod's volumes can be mounted, optional or not. */
  public static Set<ReferredKey> references(PodView pod) {
    Set<ReferredKey> keys = new LinkedHashSet<>();
    for (VolumeView volume : pod.spec().placement().volumes()) {
      for (Source source : volume.sources()) {
        keys.add(key(pod.namespace(), source));
      }
    }
    return keys;
  }

  /**
   * Looks at all volumes with what is known now.
   *
   * @param mountable whether the runtime mounts volumes of such a kind
   */
  public static Outcome check(PodView pod, Predicate<String> mountable, Reading.Lookup lookup) {
    List<VolumeView> volumes = pod.spec().placement().volumes();
    return volumes.isEmpty()
        ? MOUNTED
        : new VolumeMounts(pod.namespace(), mountable, lookup).check(volumes);
  }

  private Outcome check(List<VolumeView> volumes) {
    List<String> failures = new ArrayList<>(0);
    for (VolumeView volume : volumes) {
      if (mountable.test(volume.kind())) {
        List<String> wrong = new ArrayList<>(0);
        volume.sources().forEach(source -> look(source, wrong));
        if (!wrong.isEmpty()) {
          failures.add(
              "MountVolume.SetUp failed for volume \"%s\" : %s"
                  .formatted(volume.name(), aggregate(wrong)));
        }
      } else {
        failures.add(
            ("Unable to attach or mount volumes: unmounted volumes=[%1$s], unattached"
                    + " volumes=[%1$s], failed to process volumes=[%1$s]: failed to get Plugin from"
                    + " volumeSpec for volume \"%1$s\" err=no volume plugin matched")
                .formatted(volume.name()));
      }
    }
    if (wait.isPresent()) {
      return new Outcome.Waiting(wait.getAsLong());
    }
    return failures.isEmpty() ? MOUNTED : new Outcome.Failed(failures);
  }

  /** As Go's errors of many. */
  private static String aggregate(List<String> wrong) {
    return wrong.size() == 1
        ? wrong.get(0)
        : "[" + String.join(", ", new LinkedHashSet<>(wrong)) + "]";
  }

  private void look(Source source, List<String> wrong) {
    Reading reading = lookup.read(key(namespace, source));
    if (reading instanceof Reading.Unread unread) {
      wait = OptionalLong.of(unread.until());
    } else if (reading instanceof Reading.Unavailable unavailable) {
      wrong.add(unavailable.message());
    } else {
      compare(source, ((Reading.Known) reading).objects(), wrong);
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

  private static ReferredKey key(String namespace, Source source) {
    return new ReferredKey(source.kind(), namespace, source.name());
  }
}
