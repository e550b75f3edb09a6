package dev.vertlet.cri.container;

import dev.vertlet.cri.wire.ContainerMessages.ContainerStatus;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatusRequest;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatusResponse;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.RuntimeService;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/** Asks the runtime for the state of single containers. Confined to the shard's loop. */
public final class Inspector {
  /**
   * First pause before a container is asked for again whose process is known to have ended. Each
   * pause is half as long again as the one before, so that an end is seen late by at most half of
   * the time that the runtime took for it.
   */
  private static final long FIRST_PAUSE_MILLIS = 10;

  /** Longest pause between two of these questions. */
  private static final long LONGEST_PAUSE_MILLIS = 500;

  private final Vertx vertx;
  private final RuntimeService runtime;
  private final PodCache cache;

  public Inspector(Vertx vertx, RuntimeService runtime, PodCache cache) {
    this.vertx = vertx;
    this.runtime = runtime;
    this.cache = cache;
  }

  /**
   * Reads a container's state into the cache.
   *
   * @param sandbox id of its sandbox
   * @return null if the runtime does not have the container; fails when it cannot be asked
   */
  Future<@Nullable CachedContainer> inspect(CachedPod pod, String id, String sandbox) {
    return status(id, false)
        .map(
            (ContainerStatusResponse answer) -> {
              ContainerStatus status = answer.status();
              if (status != null && !status.id().equals(id)) {
                throw new GrpcException(
                    GrpcStatus.INTERNAL,
                    "the runtime sent the status of container "
                        + status.id()
                        + " instead of "
                        + id);
              }
              return status == null || cache.pod(pod.ref().uid()) != pod
                  ? null
                  : cache.take(pod, sandbox, status);
            })
        .recover(
            failure ->
                GrpcException.is(failure, GrpcStatus.NOT_FOUND)
                    ? Future.succeededFuture(null)
                    : Future.failedFuture(failure));
  }

  /** Asks for a container's status. */
  Future<ContainerStatusResponse> status(String id, boolean verbose) {
    return runtime.containerStatus(new ContainerStatusRequest(id, verbose));
  }

  /**
   * Asks until the runtime says that a container has ended, whose process has.
   *
   * @param patienceMillis after which to give up
   * @return whether the cache has the container as ended, or no longer
   */
  Future<Boolean> awaitEnd(CachedPod pod, CachedContainer container, long patienceMillis) {
    Promise<Boolean> ended = Promise.promise();
    ask(pod, container, FIRST_PAUSE_MILLIS, patienceMillis, ended);
    return ended.future();
  }

  private void ask(
      CachedPod pod, CachedContainer container, long pause, long patience, Promise<Boolean> ended) {
    inspect(pod, container.id(), container.sandbox())
        .onSuccess(
            now -> {
              if (now == null) {
                CachedContainer known = pod.container(container.id());
                if (known != null && !known.ended()) {
                  cache.lost(pod, known);
                }
                ended.complete(true);
              } else if (now.ended()) {
                ended.complete(true);
              } else if (patience <= 0) {
                ended.complete(false);
              } else {
                vertx.setTimer(
                    pause,
                    timer ->
                        ask(
                            pod,
                            container,
                            Math.min(pause + pause / 2, LONGEST_PAUSE_MILLIS),
                            patience - pause,
                            ended));
              }
            })
        .onFailure(ended::fail);
  }
}
