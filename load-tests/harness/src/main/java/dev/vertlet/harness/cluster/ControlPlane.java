package dev.vertlet.harness.cluster;

import dev.vertlet.certificates.CertificateAuthority;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A running Kubernetes control plane. All methods block; safe to use from several threads, except
 * that only one may kill, restart or stop at a time.
 */
public sealed interface ControlPlane extends AutoCloseable
    permits ExternalControlPlane, LocalControlPlane {

  /**
   * Starts what {@link ControlPlaneSource#find} finds in this process's environment and waits until
   * it is ready.
   *
   * @throws ControlPlaneException when there is no source, or it does not become ready
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
   * @throws ControlPlaneException when it does not become ready; nothing of it is left running then
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

  /**
   * A kubeconfig of a cluster administrator; by bearer token where the control plane is our own.
   */
  Path kubeconfig();

  /**
   * Runs kubectl as administrator.
   *
   * @param arguments what follows {@code kubectl}
   * @return its standard output
   * @throws ControlPlaneException when it exits with another code than 0; the message carries its
   *     standard error
   */
  String kubectl(String... arguments);

  /** The kubectl that {@link #kubectl} runs, for whoever has a kubeconfig of another cluster. */
  Path kubectlProgram();

  /**
   * The authority of its own certificates and of clients', where it is ours: who has a certificate
   * of it is whom that names.
   */
  Optional<CertificateAuthority> authority();

  /**
   * The API server's audit log, where there is one: a line of JSON for each write, complete as soon
   * as it is answered; those of Leases with what was written.
   */
  Optional<Path> auditLog();

  /** Whether kube-controller-manager and kube-scheduler run. */
  boolean hasControllers();

  /** Whether the API server's process is ours, so that it can be killed and restarted. */
  boolean ownsProcesses();

  /**
   * Kills the API server's process with SIGKILL and waits until it is gone; does nothing when it is
   * down.
   *
   * @throws IllegalStateException when the process is not ours
   */
  void killApiServer();

  /**
   * Starts the API server on the same port and data and waits until it is ready; ends it with
   * SIGTERM before if it still runs.
   *
   * @throws IllegalStateException when the process is not ours
   * @throws ControlPlaneException when it does not become ready
   */
  void restartApiServer();

  /**
   * Completes when a program that is ours has ended by itself or by somebody else's hand; never
   * when none is ours. Completed on any thread.
   */
  CompletionStage<EndedProgram> endedByItself();

  /**
   * Ends the processes that are ours and deletes a temporary data directory. Harmless when called
   * again.
   */
  void stop();

  @Override
  default void close() {
    stop();
  }
}
