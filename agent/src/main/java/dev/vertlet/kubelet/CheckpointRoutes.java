package dev.vertlet.kubelet;

import io.vertx.core.Future;

/**
 * {@code /checkpoint}: no provider makes any yet, but a pod or container that is not there is told
 * first.
 */
final class CheckpointRoutes {
  private final PodLookup pods;

  CheckpointRoutes(PodLookup pods) {
    this.pods = pods;
  }

  Future<Void> handle(Call call) {
    Route route = call.route();
    return pods.find(call.node(), route.namespace(), route.pod(), "")
        .compose(
            pod -> {
              if (pod.spec().container(route.container()) == null) {
                return fail("container " + route.container() + " does not exist");
              }
              String timeout = call.request().getParam("timeout");
              if (timeout != null && !timeout.matches("[+-]?\\d{1,18}")) {
                return fail("cannot parse value of timeout parameter");
              }
              // as of a kubelet whose runtime does not know how
              return Future.failedFuture(
                  new HttpFailure(
                      500,
                      "checkpointing of %s/%s/%s failed (the provider makes no checkpoints)"
                          .formatted(route.namespace(), route.pod(), route.container())));
            });
  }

  private static Future<Void> fail(String text) {
    return Future.failedFuture(new HttpFailure(404, text));
  }
}
