package dev.vertlet.harness.loadtest;

import dev.vertlet.apiserver.ControllerOptions;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.cluster.ControlPlaneException;
import dev.vertlet.harness.cluster.ControlPlaneOptions;
import dev.vertlet.harness.cluster.ControlPlaneSource;
import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.run.ClusterFiles;
import dev.vertlet.harness.run.EmbeddedCluster;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.servicelevel.RecordedPlane;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Target that is ready for use.
 *
 * @param ours whether it was started for this run and is deleted with all its objects
 * @param plane its control plane, if it is local
 * @param closing ends the cluster if it was started for this run
 */
public record TargetCluster(
    Path kubeconfig, boolean ours, Optional<ControlPlane> plane, AutoCloseable closing)
    implements AutoCloseable {
  /**
   * Starts the cluster, or takes the existing one.
   *
   * @param controllers whether a scheduler and controllers have to run in a cluster of this run
   */
  public static TargetCluster open(
      Target target, boolean controllers, RunDir dir, Patience patience)
      throws InterruptedException {
    if (target instanceof Target.Existing existing) {
      return new TargetCluster(existing.kubeconfig(), false, Optional.empty(), () -> {});
    }
    if (target instanceof Target.Embedded) {
      EmbeddedCluster cluster =
          EmbeddedCluster.start(
              0,
              controllers ? ControllerOptions.all() : ControllerOptions.minimal(),
              ClusterFiles.in(dir),
              patience);
      return new TargetCluster(cluster.kubeconfig(), true, Optional.empty(), cluster);
    }
    // the first time it is built
    ControlPlane plane = patience.notCounting(() -> start(controllers));
    return new TargetCluster(plane.kubeconfig(), true, Optional.of(plane), plane);
  }

  /** Control plane to record; its programs' usage only if they are local. */
  RecordedPlane recorded() {
    return plane
        .map(
            local -> new RecordedPlane(kubeconfig, local.schedulerKubeconfig(), () -> usage(local)))
        .orElseGet(() -> RecordedPlane.remote(kubeconfig));
  }

  private static Map<String, ProcessUsage> usage(ControlPlane local) {
    Map<String, ProcessUsage> usage = new LinkedHashMap<>();
    local.processes().forEach((name, process) -> usage.put(name, ProcessUsage.of(process)));
    return usage;
  }

  /** Starts a control plane; never uses the cluster that the environment names for tests. */
  private static ControlPlane start(boolean controllers) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.remove(ControlPlaneSource.KUBECONFIG_VARIABLE);
    try {
      ControlPlaneSource source =
          ControlPlaneSource.find(environment)
              .orElseThrow(() -> new FailedException(ControlPlaneSource.NONE));
      return ControlPlane.start(
          source, ControlPlaneOptions.defaults().withControllers(controllers));
    } catch (ControlPlaneException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() throws Exception {
    closing.close();
  }
}
