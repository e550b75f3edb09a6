package dev.vertlet.cri.cgroup;

import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import io.vertx.core.Future;
import java.util.Locale;

/**
 * Names slices for a runtime with the driver {@code systemd}, which makes them with the first
 * container in them and removes them after the last. They have no limits of their own: those of
 * containers apply.
 *
 * @param root of their names; empty for none
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/cm/cgroup_manager_linux.go">
 *     ToSystemd, kubelet 1.36.3</a>
 */
public record SystemdSlices(String root) implements PodCgroups {
  /**
   * @param path absolute, of a cgroup with the driver {@code cgroupfs}
   */
  public static SystemdSlices below(String path) {
    // a dash separates levels, so that one in a name is written as an underscore
    return new SystemdSlices(path.replace("-", "_").replaceAll("^/+|/+$", "").replace('/', '-'));
  }

  @Override
  public Future<String> prepare(PodView pod) {
    QosClass qos = pod.spec().placement().qos();
    StringBuilder name = new StringBuilder(root);
    append(name, "kubepods");
    if (qos != QosClass.GUARANTEED) {
      append(name, qos.name().toLowerCase(Locale.ROOT).replace("_", ""));
    }
    append(name, "pod" + pod.uid().replace('-', '_'));
    return Future.succeededFuture(name.append(".slice").toString());
  }

  private static void append(StringBuilder name, String level) {
    name.append(name.isEmpty() ? "" : "-").append(level);
  }

  @Override
  public Future<Void> remove(String uid) {
    return Future.succeededFuture();
  }
}
