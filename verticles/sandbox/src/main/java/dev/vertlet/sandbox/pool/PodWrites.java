package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.loop.ConcurrencyLimit;
import dev.vertlet.model.Timestamps;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxOperations;
import dev.vertlet.sandbox.SandboxPhases;
import dev.vertlet.sandbox.UpdateOptions;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs a pool's writes to pods, with a limited number of slots. Keeps no state: callers take
 * the pod from the answer. Confined to its loop.
 *
 * <p>Futures return the pod as the server holds it after the write, and fail with {@link
 * dev.vertlet.kube.KubeException} or {@link SandboxException}.
 */
final class PodWrites {
  private static final Logger LOG = LoggerFactory.getLogger(PodWrites.class);

  private final PoolSpec spec;
  private final SandboxOperations operations;
  private final SandboxNames names;
  private final PodApi api;
  private final DigestResolver resolver;
  private final ConcurrencyLimit slots;
  private final Clock clock;
  private final PoolMeters meters;

  PodWrites(
      PoolSpec spec,
      SandboxOperations operations,
      PodApi api,
      DigestResolver resolver,
      ConcurrencyLimit slots,
      Clock clock,
      PoolMeters meters) {
    this.spec = spec;
    this.operations = operations;
    this.names = operations.names();
    this.api = api;
    this.resolver = resolver;
    this.slots = slots;
    this.clock = clock;
    this.meters = meters;
  }

  /** Claims an idle pod, if the claim is still waiting when there is a slot. */
  Future<JsonNode> claim(PodObject pod, Claim claim) {
    return slots.run(
        () ->
            claim.over
                ? Future.<JsonNode>failedFuture(new SandboxException(Reason.NO_IDLE_PODS))
                : operations.trigger(
                    pod.tree(), ClaimOptions.of(claim.request, pod.tree(), names, now())));
  }

  /** Marks an update as complete; empty while it is incomplete. */
  Future<Optional<JsonNode>> complete(PodObject pod) {
    return operations
        .isCompleted(pod.tree(), resolver)
        .compose(
            done ->
                done
                    ? slots.run(() -> operations.markCompleted(pod.tree(), resolver))
                    : Future.succeededFuture(Optional.empty()))
        .onSuccess(live -> live.ifPresent(l -> completed(pod, l)));
  }

  private void completed(PodObject before, JsonNode live) {
    if (operations.phase(before.tree()).equals(SandboxPhases.STARTING)
        && operations.phase(live).equals(SandboxPhases.RUNNING)) {
      operations
          .phaseSince(before.tree(), SandboxPhases.STARTING)
          .ifPresent(since -> meters.started(Duration.between(since, clock.instant())));
    }
  }

  /**
   * Begins to release a pod.
   *
   * @param id of the sandbox to end
   * @param retry whether to retry after a conflict
   */
  Future<JsonNode> release(PodObject pod, String id, Stop why, boolean retry) {
    boolean[] ends = {false};
    return slots
        .run(
            () ->
                operations.triggerPlanned(
                    pod.tree(),
                    live -> {
                      UpdateOptions options = ReleaseOptions.of(live, spec, id, why, names, now());
                      ends[0] = options != UpdateOptions.NONE;
                      return options;
                    },
                    retry))
        .onSuccess(
            live -> {
              if (ends[0]) {
                recordStop(pod, id, why);
              }
            });
  }

  /** Reason of a stop after a container of the sandbox died. */
  Stop failure(JsonNode pod) {
    String container = operations.restarted(pod).orElse("");
    JsonNode ended = PodTree.status(pod, container).path("lastState").path("terminated");
    return new Stop(
        "Failed",
        ended.path("reason").asText("UnexpectedRestart"),
        "container " + container + " ended and was started again",
        ended.path("exitCode").asText(""));
  }

  private void recordStop(PodObject pod, String id, Stop why) {
    meters.stopped(why);
    LOG.atInfo()
        .addKeyValue("pod", pod.namespace() + "/" + pod.name())
        .addKeyValue("podUid", pod.uid())
        .addKeyValue("sandbox", id)
        .addKeyValue("reason", why.reason())
        .addKeyValue("failure", why.failureReason())
        .log("sandbox stopped");
  }

  /**
   * Removes the finalizer and, if requested, deletes the pod.
   *
   * @param id of its sandbox; empty without one
   */
  Future<?> letGo(PodObject pod, String id, boolean delete) {
    return slots.run(
        () ->
            operations
                .write(
                    pod.tree(),
                    live -> {
                      Optional<ObjectNode> changed = withoutFinalizer(live, pod, delete);
                      if (changed.isPresent() && !id.isEmpty()) {
                        recordStop(pod, id, Stop.POD_GONE);
                      }
                      return Future.succeededFuture(changed);
                    },
                    true)
                .compose(live -> delete ? api.delete(live) : Future.succeededFuture()));
  }

  /** Applies only while the pod's phase is unchanged: a claim may have been faster. */
  private Optional<ObjectNode> withoutFinalizer(ObjectNode live, PodObject judged, boolean delete) {
    if (delete && !operations.phase(live).equals(operations.phase(judged.tree()))) {
      throw new SandboxException(Reason.UNEXPECTED_PHASE);
    }
    if (!PodTree.hasFinalizer(live, names.finalizer())) {
      return Optional.empty();
    }
    ObjectNode changed = live.deepCopy();
    if (changed.path("metadata").path("finalizers") instanceof ArrayNode all) {
      for (int i = all.size() - 1; i >= 0; i--) {
        if (all.get(i).asText().equals(names.finalizer())) {
          all.remove(i);
        }
      }
    }
    return Optional.of(changed);
  }

  /**
   * Restarts the idle timeout of a running sandbox.
   *
   * @return fails with {@link Reason#NOT_FOUND} when the pod serves another id by now
   */
  Future<JsonNode> touch(PodObject pod, String id) {
    return slots.run(
        () ->
            operations.write(pod.tree(), live -> Future.succeededFuture(touched(live, id)), true));
  }

  private Optional<ObjectNode> touched(ObjectNode live, String id) {
    if (!PodTree.label(live, names.id()).equals(id)) {
      throw Sandbox.notFound(id);
    }
    if (!operations.phase(live).equals(SandboxPhases.RUNNING)) {
      return Optional.empty();
    }
    ObjectNode changed = live.deepCopy();
    if (changed.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.put(names.lastActive(), Timestamps.format(now()));
    }
    return Optional.of(changed);
  }

  /** Current time in whole seconds, the resolution of annotations. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
