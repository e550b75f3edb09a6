package dev.vertlet.harness.loadtest;

import dev.vertlet.agent.FailedException;
import dev.vertlet.apiserver.ControllerOptions;
import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.cluster.ControlPlaneException;
import dev.vertlet.harness.cluster.ControlPlaneOptions;
import dev.vertlet.harness.cluster.ControlPlaneSource;
import dev.vertlet.harness.run.ClusterFiles;
import dev.vertlet.harness.run.EmbeddedCluster;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.RunDir;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A target that can be used.
 *
 * @param closing ends what was started for this run
 * @param ours whether it was, and goes with all it holds
 */
record TargetCluster(Path kubeconfig, boolean ours, AutoCloseable closing)
    implements AutoCloseable {
  static TargetCluster open(Target target, RunDir dir, Patience patience)
      throws InterruptedException {
    if (target instanceof Target.Existing existing) {
      return new TargetCluster(existing.kubeconfig(), false, () -> {});
    }
    if (target instanceof Target.Embedded) {
      EmbeddedCluster cluster =
          EmbeddedCluster.start(0, ControllerOptions.minimal(), ClusterFiles.in(dir), patience);
      return new TargetCluster(cluster.kubeconfig(), true, cluster);
    }
    ControlPlane plane = start();
    return new TargetCluster(plane.kubeconfig(), true, plane);
  }

  /** Never the cluster that an environment made for tests names: that one is not ours to load. */
  private static ControlPlane start() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.remove(ControlPlaneSource.KUBECONFIG_VARIABLE);
    try {
      ControlPlaneSource source =
          ControlPlaneSource.find(environment)
              .orElseThrow(() -> new FailedException(ControlPlaneSource.NONE));
      return ControlPlane.start(source, ControlPlaneOptions.defaults().withControllers(false));
    } catch (ControlPlaneException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() throws Exception {
    closing.close();
  }
}
