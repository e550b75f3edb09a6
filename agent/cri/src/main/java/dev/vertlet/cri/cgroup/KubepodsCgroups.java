package dev.vertlet.cri.cgroup;

import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import dev.vertlet.model.resource.PodTotals;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Groups of pods that this agent makes itself, for a runtime with the driver {@code cgroupfs}. Its
 * Futures complete in the context that made it, and fail with an {@link IOException}.
 */
public final class KubepodsCgroups implements PodCgroups {
  private static final Path MOUNTS = Path.of("/proc/mounts");

  private final Context context;
  private final KubepodsTree tree;
  private final long podPids;

  private KubepodsCgroups(Context context, KubepodsTree tree, long podPids) {
    this.context = context;
    this.tree = tree;
    this.podPids = podPids;
  }

  /**
   * Makes the groups of the QoS classes.
   *
   * @param root absolute path in the hierarchies, below which is {@code kubepods}
   * @param podPids most processes and threads of a pod; -1 for no limit
   * @return fails with an {@link IOException} where no groups can be made
   */
  public static Future<PodCgroups> open(Vertx vertx, String root, long podPids) {
    Context context = vertx.getOrCreateContext();
    return context
        .executeBlocking(() -> KubepodsTree.open(Files.readAllLines(MOUNTS), root), true)
        .map(tree -> new KubepodsCgroups(context, tree, podPids));
  }

  @Override
  public Future<String> prepare(PodView pod) {
    QosClass qos = pod.spec().placement().qos();
    return limit(pod).map(done -> tree.path(qos, pod.uid()));
  }

  @Override
  public Future<Void> limit(PodView pod) {
    QosClass qos = pod.spec().placement().qos();
    return ordered(() -> tree.limit(qos, pod.uid(), limits(pod), podPids));
  }

  @Override
  public Future<Void> grow(PodView pod) {
    QosClass qos = pod.spec().placement().qos();
    return ordered(() -> tree.grow(qos, pod.uid(), limits(pod)));
  }

  private static ContainerLimits limits(PodView pod) {
    return ContainerLimits.of(PodTotals.applied(pod.spec()).applied());
  }

  @Override
  public Future<Void> remove(String uid) {
    return ordered(() -> tree.remove(uid));
  }

  @Override
  public Future<Set<String>> uids() {
    return context.executeBlocking(tree::uids, true);
  }

  @Override
  public Future<Void> leave() {
    return ordered(tree::leave);
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Runs work after all earlier work: the weights of QoS classes are sums. */
  private Future<Void> ordered(Work work) {
    return context.executeBlocking(
        () -> {
          work.run();
          return null;
        },
        true);
  }
}
