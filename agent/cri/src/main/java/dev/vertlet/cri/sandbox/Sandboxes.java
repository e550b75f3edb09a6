package dev.vertlet.cri.sandbox;

import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.SandboxMessages.ListPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.PodSandbox;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxFilter;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxMetadata;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxState;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatus;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusRequest;
import dev.vertlet.cri.wire.SandboxMessages.RemovePodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.RunPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.StopPodSandboxRequest;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Calls that run, stop and remove sandboxes. Every Future fails with a {@link GrpcException}. */
public final class Sandboxes {
  private final RuntimeService runtime;

  public Sandboxes(RuntimeService runtime) {
    this.runtime = runtime;
  }

  /**
   * Runs a sandbox. A former call for the same attempt may have timed out while the runtime went
   * on: the sandbox that it made is taken, and one that is not ready is removed first.
   *
   * @param handler of the runtime class; empty for the default
   */
  public Future<SandboxState> run(PodSandboxConfig config, String handler) {
    return create(config, handler)
        .recover(
            failure ->
                reserved(failure)
                    ? afterReservation(config, handler, failure)
                    : Future.failedFuture(failure));
  }

  private Future<SandboxState> create(PodSandboxConfig config, String handler) {
    return runtime
        .runPodSandbox(new RunPodSandboxRequest(config, handler))
        .compose(
            made ->
                made.podSandboxId().isEmpty()
                    ? Future.failedFuture(
                        new GrpcException(
                            GrpcStatus.INTERNAL, "PodSandboxId is not set for sandbox"))
                    : state(made.podSandboxId()));
  }

  /** Whether the runtime holds the name of what a former call began to make. */
  public static boolean reserved(Throwable failure) {
    return failure instanceof GrpcException grpc
        && (grpc.status() == GrpcStatus.ALREADY_EXISTS
            || grpc.description().contains("is reserved for"));
  }

  private Future<SandboxState> afterReservation(
      PodSandboxConfig config, String handler, Throwable failure) {
    PodSandboxMetadata wanted = config.metadata();
    String uid = wanted == null ? "" : wanted.uid();
    int attempt = wanted == null ? 0 : wanted.attempt();
    return list(Map.of(PodLabels.UID, uid, PodMarks.AGENT, config.labels().get(PodMarks.AGENT)))
        .compose(
            found -> {
              for (PodSandbox sandbox : found) {
                if (sandbox.metadata() != null && sandbox.metadata().attempt() == attempt) {
                  return sandbox.state() == PodSandboxState.SANDBOX_READY
                      ? state(sandbox.id())
                      : remove(sandbox.id()).compose(removed -> create(config, handler));
                }
              }
              // the runtime is still making it, or it belongs to a stranger
              return Future.failedFuture(failure);
            });
  }

  /** Lists sandboxes with these labels. */
  public Future<List<PodSandbox>> list(Map<String, String> labels) {
    return runtime
        .listPodSandbox(new ListPodSandboxRequest(new PodSandboxFilter("", null, labels)))
        .map(answer -> answer.items());
  }

  /** Reads the state of a sandbox with its addresses. */
  public Future<SandboxState> state(String id) {
    return runtime
        .podSandboxStatus(new PodSandboxStatusRequest(id, false))
        .compose(
            answer -> {
              PodSandboxStatus status = answer.status();
              return status == null || !status.id().equals(id)
                  ? Future.failedFuture(
                      new GrpcException(
                          GrpcStatus.INTERNAL, "the runtime sent no status of sandbox " + id))
                  : Future.succeededFuture(state(status));
            });
  }

  private static SandboxState state(PodSandboxStatus status) {
    boolean ready = status.state() == PodSandboxState.SANDBOX_READY;
    return new SandboxState(
        status.id(),
        status.metadata() == null ? 0 : status.metadata().attempt(),
        ready,
        status.createdAt(),
        ready ? SandboxState.ips(status.network()) : List.of());
  }

  /** Ends a sandbox with its containers and frees its network. Succeeds when there is none. */
  public Future<Void> stop(String id) {
    return withoutMissing(runtime.stopPodSandbox(new StopPodSandboxRequest(id)).mapEmpty());
  }

  /** Removes a sandbox with its containers. Succeeds when there is none. */
  public Future<Void> remove(String id) {
    return stop(id)
        .compose(
            stopped ->
                withoutMissing(
                    runtime.removePodSandbox(new RemovePodSandboxRequest(id)).mapEmpty()));
  }

  private static Future<Void> withoutMissing(Future<Void> call) {
    return call.recover(
        failure ->
            GrpcException.is(failure, GrpcStatus.NOT_FOUND)
                ? Future.succeededFuture()
                : Future.failedFuture(failure));
  }
}
