package dev.vertlet.api.route;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.PodStreams.StreamKind;
import dev.vertlet.streaming.PortForwarding;
import io.vertx.core.Future;
import io.vertx.core.VertxException;

/** Serves {@code /portForward}: connections to a pod's ports. */
final class ForwardRoutes {
  private final PodLookup pods;
  private final ServedNodes providers;
  private final PortForwarding forwarding;

  ForwardRoutes(PodLookup pods, ServedNodes providers, PortForwarding forwarding) {
    this.pods = pods;
    this.providers = providers;
    this.forwarding = forwarding;
  }

  Future<Void> handle(ApiCall call) {
    Route route = call.route();
    return pods.find(call.node(), route.namespace(), route.pod(), route.uid())
        .compose(
            pod -> {
              ContainerTarget target = new ContainerTarget(pod.ref(), pod.nodeName(), "", "");
              return providers
                  .ask(
                      pod.nodeName(),
                      provider -> provider.streams().check(StreamKind.PORT_FORWARD, target))
                  .compose(
                      v ->
                          forwarding.serve(
                              call.request(),
                              (port, connection) -> forward(pod, port, connection)));
            });
  }

  private Future<Void> forward(PodView pod, int port, Connection connection) {
    return providers
        .call(
            pod.nodeName(), provider -> provider.streams().portForward(pod.ref(), port, connection))
        .recover(
            failure ->
                Future.failedFuture(
                    VertxException.noStackTrace(
                        "error forwarding port %d to pod %s, uid %s: %s"
                            .formatted(
                                port,
                                pod.name(),
                                pod.ref().uid(),
                                HttpFailure.of(failure).text()))));
  }
}
