package dev.vertlet.cri;

import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.StreamMessages.ExecSyncRequest;
import dev.vertlet.cri.wire.StreamMessages.ExecSyncResponse;
import dev.vertlet.host.probe.NetworkProbes;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Performs probes and hooks: commands through the runtime, all others over the network. */
final class CriProbes {
  /** Bytes of a probe's output that are kept, as by a kubelet. */
  private static final int OUTPUT = 10 * 1024;

  /**
   * Time-out of a hook's command in seconds. A kubelet has none, but some runtimes never answer a
   * command without one; the kubelet core ends the container's grace period before.
   */
  private static final long HOOK_SECONDS = Duration.ofHours(1).toSeconds();

  private final RuntimeService runtime;
  private final NetworkProbes network;

  CriProbes(Vertx vertx, RuntimeService runtime) {
    this.runtime = runtime;
    this.network = new NetworkProbes(vertx);
  }

  /**
   * Probes a running container.
   *
   * @param id without scheme
   */
  Future<ProbeResult> probe(ProbeRequest request, String id) {
    HandlerView handler = request.probe().handler();
    int seconds = request.probe().timeoutSeconds();
    if (!(handler instanceof HandlerView.Exec exec)) {
      return network.probe(handler, request.podIP(), seconds);
    }
    return runtime
        .execSync(new ExecSyncRequest(id, exec.command(), Math.max(1, seconds)))
        .map(
            answer ->
                answer.exitCode() == 0
                    ? new ProbeResult(ProbeResult.Outcome.SUCCESS, output(answer))
                    : ProbeResult.failure(output(answer)))
        .recover(
            failure ->
                GrpcException.is(failure, GrpcStatus.DEADLINE_EXCEEDED)
                    ? Future.succeededFuture(ProbeResult.failure(late(exec.command(), seconds)))
                    : Future.failedFuture(failure));
  }

  private static String late(List<String> command, long seconds) {
    return "command timed out: \"%s\" timed out after %ds"
        .formatted(String.join(" ", command), seconds);
  }

  private static String output(ExecSyncResponse answer) {
    Buffer all = answer.stdout().copy().appendBuffer(answer.stderr());
    return all.getBuffer(0, Math.min(all.length(), OUTPUT)).toString(StandardCharsets.UTF_8);
  }

  /**
   * Runs a hook in a running container.
   *
   * @param id without scheme
   */
  Future<Void> hook(HookRequest request, String id) {
    if (!(request.handler() instanceof HandlerView.Exec exec)) {
      return network.hook(request.handler(), request.podIP());
    }
    return runtime
        .execSync(new ExecSyncRequest(id, exec.command(), HOOK_SECONDS))
        .compose(
            answer ->
                answer.exitCode() == 0
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new ProviderException(
                            Kind.TEMPORARY,
                            "HookFailed",
                            "command '%s' exited with %d: %s, message: \"%s\""
                                .formatted(
                                    String.join(" ", exec.command()),
                                    answer.exitCode(),
                                    answer.stderr().toString(StandardCharsets.UTF_8),
                                    output(answer)))));
  }
}
