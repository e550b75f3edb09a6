package dev.vertlet.harness.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options for starting a control plane. An external one (see {@link ControlPlaneSource.External})
 * runs already and uses only {@code progress}.
 *
 * @param controllers whether to run kube-controller-manager and kube-scheduler beside etcd and the
 *     API server
 * @param dataDir directory for data, keys, kubeconfigs and process ids, kept on stop; null for a
 *     temporary one, deleted on stop
 * @param logDir directory for logs, kept on stop; null for the data directory
 * @param audited whether the API server keeps an {@link ControlPlane#auditLog}
 * @param apiServerFlags appended to the flags of kube-apiserver, so they win
 * @param controllerManagerFlags appended to the flags of kube-controller-manager
 * @param progress receives one line at a time about slow steps: the first build takes minutes
 */
public record ControlPlaneOptions(
    boolean controllers,
    @Nullable Path dataDir,
    @Nullable Path logDir,
    boolean audited,
    List<String> apiServerFlags,
    List<String> controllerManagerFlags,
    Consumer<String> progress) {

  public ControlPlaneOptions {
    apiServerFlags = List.copyOf(apiServerFlags);
    controllerManagerFlags = List.copyOf(controllerManagerFlags);
  }

  /** All programs, a temporary data directory, progress on standard error. */
  public static ControlPlaneOptions defaults() {
    return new ControlPlaneOptions(
        true, null, null, false, List.of(), List.of(), System.err::println);
  }

  public ControlPlaneOptions withControllers(boolean wanted) {
    return new ControlPlaneOptions(
        wanted, dataDir, logDir, audited, apiServerFlags, controllerManagerFlags, progress);
  }

  public ControlPlaneOptions withDataDir(Path dir) {
    return new ControlPlaneOptions(
        controllers, dir, logDir, audited, apiServerFlags, controllerManagerFlags, progress);
  }

  public ControlPlaneOptions withLogDir(Path dir) {
    return new ControlPlaneOptions(
        controllers, dataDir, dir, audited, apiServerFlags, controllerManagerFlags, progress);
  }

  public ControlPlaneOptions withAudit(boolean wanted) {
    return new ControlPlaneOptions(
        controllers, dataDir, logDir, wanted, apiServerFlags, controllerManagerFlags, progress);
  }

  public ControlPlaneOptions withApiServerFlags(String... flags) {
    return new ControlPlaneOptions(
        controllers, dataDir, logDir, audited, List.of(flags), controllerManagerFlags, progress);
  }

  public ControlPlaneOptions withControllerManagerFlags(String... flags) {
    return new ControlPlaneOptions(
        controllers, dataDir, logDir, audited, apiServerFlags, List.of(flags), progress);
  }

  public ControlPlaneOptions withProgress(Consumer<String> listener) {
    return new ControlPlaneOptions(
        controllers, dataDir, logDir, audited, apiServerFlags, controllerManagerFlags, listener);
  }
}
