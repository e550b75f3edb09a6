package dev.vertlet.harness.cluster;

import dev.vertlet.certificates.CertificateAuthority;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Running Kubernetes control plane. All methods block. They are thread-safe, except that only one
 * thread at a time may kill, restart or stop.
 */
public sealed interface ControlPlane extends AutoCloseable
    permits ExternalControlPlane, LocalControlPlane {

  /**
   * Starts the control plane that {@link ControlPlaneSource#find} selects by this process's
   * environment and waits until it is ready.
   *
   * @throws ControlPlaneException without a source, or when it does not become ready
   */
  static ControlPlane start(ControlPlaneOptions options) {
    ControlPlaneSource source =
        ControlPlaneSource.find(System.getenv())
            .orElseThrow(() -> new ControlPlaneException(ControlPlaneSource.NONE));
    return start(source, options);
  }

  /**
   * Starts a control plane from a given source and waits until it is ready.
   *
   * @throws ControlPlaneException when it does not become ready; no process is left running then
   */
  static ControlPlane start(ControlPlaneSource source, ControlPlaneOptions options) {
    if (source instanceof ControlPlaneSource.External external) {
      return ExternalControlPlane.connect(external, options);
    }
    Programs programs =
        source instanceof ControlPlaneSource.GoModule module
            ? module.build(options.progress())
            : ((ControlPlaneSource.Assets) source).programs();
    return LocalControlPlane.start(programs, options);
  }

  /** Kubeconfig of a cluster administrator; with a bearer token for a local control plane. */
  Path kubeconfig();

  /**
   * Runs kubectl as administrator.
   *
   * @param arguments the arguments after {@code kubectl}
   * @return standard output
   * @throws ControlPlaneException on a non-zero exit code; the message contains standard error
   */
  String kubectl(String... arguments);

  /** The program that {@link #kubectl} runs, for use with other kubeconfigs. */
  Path kubectlProgram();

  /**
   * Authority of the server's and the clients' certificates, for a local control plane: it can
   * issue a certificate for any user.
   */
  Optional<CertificateAuthority> authority();

  /**
   * Audit log of the API server, if it keeps one: one line of JSON for each write, complete when
   * the response is sent. Lines of Leases include the written object.
   */
  Optional<Path> auditLog();

  /** Running local programs by name; none for an external control plane. */
  Map<String, ProcessHandle> processes();

  /**
   * Kubeconfig of an administrator whose server is the scheduler's own port, for a local scheduler.
   */
  Optional<Path> schedulerKubeconfig();

  /** Whether kube-controller-manager and kube-scheduler run. */
  boolean hasControllers();

  /** Whether this process owns the API server's process and can kill and restart it. */
  boolean ownsProcesses();

  /**
   * Kills the API server's process with SIGKILL and waits for its end; does nothing when it is
   * down.
   *
   * @throws IllegalStateException for an external control plane
   */
  void killApiServer();

  /**
   * Starts the API server on the same port and data and waits until it is ready; first ends a
   * running one with SIGTERM.
   *
   * @throws IllegalStateException for an external control plane
   * @throws ControlPlaneException when it does not become ready
   */
  void restartApiServer();

  /**
   * Completes when a local program ends without {@link #stop}, {@link #killApiServer} or {@link
   * #restartApiServer}; never completes for an external control plane. Completes on any thread.
   */
  CompletionStage<EndedProgram> endedByItself();

  /** Ends the local processes and deletes a temporary data directory. Idempotent. */
  void stop();

  @Override
  default void close() {
    stop();
  }
}
