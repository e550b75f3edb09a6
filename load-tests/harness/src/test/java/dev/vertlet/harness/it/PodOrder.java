package dev.vertlet.harness.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * In which order the pods of one workload were created, got ready and went, as one watch tells it.
 */
final class PodOrder implements AutoCloseable {
  /** Written by the watch's thread, read by the test's. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private final SharedIndexInformer<Pod> informer;

  private PodOrder(TestCluster cluster, String app) {
    this.informer =
        cluster
            .client()
            .pods()
            .inNamespace(cluster.namespace())
            .withLabel("app", app)
            .inform(new Handler());
  }

  /** Begins to watch the pods of the test's namespace with that label {@code app}. */
  static PodOrder watch(TestCluster cluster, String app) {
    return new PodOrder(cluster, app);
  }

  /**
   * Lines such as {@code web-0 created}, {@code web-0 ready} and {@code web-0 gone}, oldest first.
   */
  List<String> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    informer.close();
  }

  private final class Handler implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      add(pod, "created");
    }

    @Override
    public void onUpdate(Pod before, Pod after) {
      if (!Readiness.isPodReady(before) && Readiness.isPodReady(after)) {
        add(after, "ready");
      }
    }

    @Override
    public void onDelete(Pod pod, boolean lastVersionUnknown) {
      add(pod, "gone");
    }

    private void add(Pod pod, String what) {
      seen.add(pod.getMetadata().getName() + " " + what);
    }
  }
}
