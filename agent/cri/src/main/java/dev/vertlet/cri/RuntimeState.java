package dev.vertlet.cri;

import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.StatusMessages.RuntimeCondition;
import dev.vertlet.cri.wire.StatusMessages.RuntimeHandler;
import dev.vertlet.cri.wire.StatusMessages.RuntimeStatus;
import dev.vertlet.cri.wire.StatusMessages.StatusRequest;
import dev.vertlet.cri.wire.StatusMessages.StatusResponse;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health and features of the container runtime, in a kubelet's words. */
final class RuntimeState {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeState.class);

  private final RuntimeService runtime;
  private final String socket;
  private boolean reachable = true;

  /**
   * @param socket for messages
   */
  RuntimeState(RuntimeService runtime, String socket) {
    this.runtime = runtime;
    this.socket = socket;
  }

  private Future<StatusResponse> ask() {
    return runtime
        .status(new StatusRequest(false))
        .onSuccess(answer -> reachable = true)
        .recover(
            failure -> {
              if (reachable) {
                LOG.atWarn()
                    .addKeyValue("socket", socket)
                    .addKeyValue("problem", failure.getMessage())
                    .log("the container runtime does not answer");
              }
              reachable = false;
              return Future.failedFuture(
                  new ProviderException(
                      Kind.TEMPORARY,
                      "KubeletNotReady",
                      GrpcException.isUnimplemented(failure)
                          ? "container runtime at " + socket + " does not speak CRI v1"
                          : "container runtime is down"));
            });
  }

  /** Fails while no containers can be run. */
  Future<Void> runtimeReady() {
    return ask()
        .compose(
            answer -> {
              RuntimeCondition condition = condition(answer, "RuntimeReady");
              return condition.status()
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      new ProviderException(
                          Kind.TEMPORARY,
                          condition.reason(),
                          "container runtime not ready: " + text(condition)));
            });
  }

  /** Fails while pods get no network. */
  Future<Void> networkReady() {
    return ask()
        .compose(
            answer -> {
              RuntimeCondition condition = condition(answer, "NetworkReady");
              return condition.status()
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      new ProviderException(
                          Kind.TEMPORARY, condition.reason(), condition.message()));
            });
  }

  private static RuntimeCondition condition(StatusResponse answer, String type) {
    RuntimeStatus status = answer.status();
    if (status != null) {
      for (RuntimeCondition condition : status.conditions()) {
        if (condition.type().equals(type)) {
          return condition;
        }
      }
    }
    return new RuntimeCondition(type, false, "Unknown", "the runtime does not tell");
  }

  private static String text(RuntimeCondition condition) {
    return "%s=%s reason:%s message:%s"
        .formatted(condition.type(), condition.status(), condition.reason(), condition.message());
  }

  /**
   * Features of a handler; none if the runtime does not tell.
   *
   * @param handler empty for the default
   * @param appArmor whether the host has AppArmor
   */
  Future<RuntimeFeatures> features(String handler, boolean appArmor) {
    return runtime
        .status(new StatusRequest(false))
        .map(
            answer ->
                new RuntimeFeatures(
                    answer.features() != null && answer.features().supplementalGroupsPolicy(),
                    recursiveReadOnly(answer.runtimeHandlers(), handler),
                    false,
                    appArmor))
        .otherwise(new RuntimeFeatures(false, false, false, appArmor));
  }

  private static boolean recursiveReadOnly(List<RuntimeHandler> handlers, String name) {
    return handlers.stream()
        .filter(handler -> handler.name().equals(name))
        .anyMatch(
            handler -> handler.features() != null && handler.features().recursiveReadOnlyMounts());
  }
}
