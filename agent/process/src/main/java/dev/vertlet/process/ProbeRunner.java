package dev.vertlet.process;

import dev.vertlet.host.probe.NetworkProbes;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** Performs probes and hooks of containers, each until its timeout. */
final class ProbeRunner {
  private final Vertx vertx;
  private final ProcessStreams streams;
  private final NetworkProbes network;

  ProbeRunner(Vertx vertx, ProcessStreams streams) {
    this.vertx = vertx;
    this.streams = streams;
    this.network = new NetworkProbes(vertx);
  }

  /** Probes a running container. */
  Future<ProbeResult> probe(ProbeRequest request, Instance instance) {
    int seconds = request.probe().timeoutSeconds();
    HandlerView handler = request.probe().handler();
    return handler instanceof HandlerView.Exec exec
        ? command(instance, exec.command(), seconds)
        : network.probe(handler, request.podIP(), seconds);
  }

  /** Runs a hook in a running container. */
  Future<Void> hook(HookRequest request, Instance instance) {
    return request.handler() instanceof HandlerView.Exec exec
        ? hook(instance, exec.command())
        : network.hook(request.handler(), request.podIP());
  }

  private Future<Void> hook(Instance instance, List<String> command) {
    OutputCollector output = new OutputCollector();
    return streams
        .exec(instance, command, false, output)
        .compose(
            code ->
                code == 0
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new ProviderException(
                            Kind.TEMPORARY,
                            "HookFailed",
                            "command %s exited with %d: %s"
                                .formatted(command, code, output.text()))));
  }

  private Future<ProbeResult> command(Instance instance, List<String> command, int seconds) {
    OutputCollector output = new OutputCollector();
    long timer = vertx.setTimer(seconds * 1000L, over -> output.leave());
    return streams
        .exec(instance, command, false, output)
        .map(code -> code == 0 ? ProbeResult.SUCCESS : ProbeResult.failure(output.text()))
        .onComplete(done -> vertx.cancelTimer(timer));
  }
}
