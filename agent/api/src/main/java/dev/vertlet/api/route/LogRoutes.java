package dev.vertlet.api.route;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import java.time.Clock;

/** Serves {@code /containerLogs}: a container's log from its provider. */
final class LogRoutes {
  private final PodLookup pods;
  private final ServedNodes providers;
  private final Clock clock;

  LogRoutes(PodLookup pods, ServedNodes providers, Clock clock) {
    this.pods = pods;
    this.providers = providers;
    this.clock = clock;
  }

  Future<Void> handle(ApiCall call) {
    Route route = call.route();
    LogRequest asked;
    try {
      asked = new LogQuery(call.request().params()).read(unfound(route), clock.instant());
    } catch (HttpFailure e) {
      return Future.failedFuture(e);
    }
    return pods.find(call.node(), route.namespace(), route.pod(), "")
        .recover(failure -> Future.failedFuture(named(failure, route.pod())))
        .compose(pod -> write(call, pod, asked));
  }

  /** Returns a target for checking the query before the pod is looked up. */
  private static ContainerTarget unfound(Route route) {
    return new ContainerTarget(
        new PodRef(route.namespace(), route.pod(), ""), "", route.container(), "");
  }

  private static Throwable named(Throwable failure, String pod) {
    return failure instanceof HttpFailure known && known.status() == 404
        ? new HttpFailure(404, "pod \"" + pod + "\" does not exist")
        : failure;
  }

  private Future<Void> write(ApiCall call, PodView pod, LogRequest asked) {
    String container = asked.target().container();
    if (pod.spec().container(container) == null) {
      return Future.failedFuture(
          new HttpFailure(
              404, "container \"" + container + "\" not found in pod \"" + pod.name() + "\""));
    }
    HttpServerRequest request = call.request();
    Promise<Void> over = Promise.promise();
    call.gone().onComplete(v -> over.tryComplete());
    LogOutput out = new LogOutput(request.response());
    request.resume(); // a connection that is not read does not notice that its client has gone
    LogRequest found = asked.of(new ContainerTarget(pod.ref(), pod.nodeName(), container, ""));
    return ServedNodes.whileThere(
            call.gone(),
            () ->
                providers.call(
                    pod.nodeName(), provider -> provider.streams().logs(found, out, over.future())))
        .compose(v -> request.response().closed() ? Future.succeededFuture() : out.finish())
        .onComplete(v -> over.tryComplete());
  }
}
