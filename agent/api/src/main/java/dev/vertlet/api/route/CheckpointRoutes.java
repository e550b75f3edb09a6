package dev.vertlet.api.route;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerTarget;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Serves {@code /checkpoint}: checkpoints of containers, for providers that support them. */
final class CheckpointRoutes {
  /** About 68 years: longer than any client waits, and no time unit overflows. */
  private static final long MOST_SECONDS = Integer.MAX_VALUE;

  private final PodLookup pods;
  private final ServedNodes providers;
  private final Predicate<String> on;

  /**
   * @param on whether a node's kubelet has the feature
   */
  CheckpointRoutes(PodLookup pods, ServedNodes providers, Predicate<String> on) {
    this.on = on;
    this.pods = pods;
    this.providers = providers;
  }

  Future<Void> handle(ApiCall call) {
    Route route = call.route();
    return pods.find(call.node(), route.namespace(), route.pod(), "")
        .compose(
            pod -> {
              if (!on.test(pod.nodeName())) {
                return Future.failedFuture(new HttpFailure(404, "404: Page Not Found"));
              }
              if (pod.spec().container(route.container()) == null) {
                return fail("container " + route.container() + " does not exist");
              }
              Duration limit;
              try {
                limit = limit(call.request().params().getAll("timeout"));
              } catch (NumberFormatException e) {
                return fail("cannot parse value of timeout parameter");
              }
              return make(call, pod, limit);
            });
  }

  /**
   * Returns the timeout as a kubelet reads it: the last value counts; the provider decides when it
   * is not above 0.
   */
  private static Duration limit(List<String> values) {
    if (values.isEmpty()) {
      return Duration.ZERO;
    }
    String last = values.get(values.size() - 1);
    if (!last.matches("[+-]?[0-9]+")) {
      throw new NumberFormatException(last);
    }
    return Duration.ofSeconds(Math.max(0, Math.min(MOST_SECONDS, Long.parseLong(last))));
  }

  private Future<Void> make(ApiCall call, PodView pod, Duration limit) {
    ContainerTarget target =
        new ContainerTarget(pod.ref(), pod.nodeName(), call.route().container(), "");
    // a connection that is not read does not notice that its client has gone
    call.request().resume();
    return ServedNodes.whileThere(
            call.gone(),
            () ->
                providers.call(
                    pod.nodeName(),
                    provider -> provider.streams().checkpoint(target, limit, call.gone())))
        .recover(failure -> Future.failedFuture(failed(call.route(), failure)))
        .compose(
            file -> call.json(new JsonObject().put("items", new JsonArray().add(file)).toBuffer()));
  }

  private static HttpFailure failed(Route route, Throwable failure) {
    HttpFailure known = HttpFailure.of(failure);
    boolean missing =
        known.status() == 404 || ProviderException.kindOf(failure) == Kind.UNSUPPORTED;
    return new HttpFailure(
        missing ? 404 : 500,
        "checkpointing of %s/%s/%s failed (%s)"
            .formatted(route.namespace(), route.pod(), route.container(), known.text()));
  }

  private static Future<Void> fail(String text) {
    return Future.failedFuture(new HttpFailure(404, text));
  }
}
