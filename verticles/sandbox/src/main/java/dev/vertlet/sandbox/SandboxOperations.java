package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Swaps images of pods in place, with the annotations, labels, rules and errors of agentbox's
 * package {@code inplaceupdate}. Methods that only read a pod return immediately; methods that call
 * the API server or a registry return a Future; none blocks. Confined to its loop.
 *
 * <p>Pods are JSON trees in the API server's form, of any version: a write reads the pod again, or
 * requires that the server has the given version.
 *
 * <p>Promised: one write for each change, so that label, state and images never contradict each
 * other; no write over an unread change. A pod of the same name with another UID is never changed
 * in place of the given one.
 */
public final class SandboxOperations {
  /** Go's retry.DefaultRetry: 10 ms each, plus up to 10% at random. */
  private static final Backoff RETRY =
      new Backoff(Duration.ofMillis(10), Duration.ofMillis(10), 1, 0.1);

  /** Go's retry.DefaultRetry. */
  private static final int ATTEMPTS = 5;

  private final PodApi api;
  private final SandboxNames names;
  private final CoreLoop loop;
  private final Env env;
  private final UpdateMeter meter;
  private final Completion completion;
  private final boolean trusting;

  /**
   * Creates the operations.
   *
   * @param env with the machine's own clock, for the times in annotations
   */
  public SandboxOperations(PodApi api, SandboxNames names, CoreLoop loop, Env env) {
    this(api, names, loop, env, false);
  }

  private SandboxOperations(
      PodApi api, SandboxNames names, CoreLoop loop, Env env, boolean trusting) {
    this.api = api;
    this.names = names;
    this.loop = loop;
    this.env = env;
    this.meter = new UpdateMeter(env.meters());
    this.completion = new Completion(names);
    this.trusting = trusting;
  }

  /**
   * Returns operations for a caller that watches its pods and mostly knows their newest versions:
   * an update is first tried on the given version, in one request that the server accepts for that
   * version only. The pod is read only if this fails or the given version allows no update.
   */
  public SandboxOperations trusting() {
    return new SandboxOperations(api, names, loop, env, true);
  }

  public SandboxNames names() {
    return names;
  }

  /** Value of the pod's phase label; empty without it. */
  public String phase(JsonNode pod) {
    return PodTree.label(pod, names.phase());
  }

  /**
   * Returns the update in progress, or the last one.
   *
   * @return empty for a pod that never had one
   * @throws SandboxException {@link SandboxException.Reason#UNREADABLE_STATE}
   */
  public Optional<InplaceState> state(JsonNode pod) {
    return InplaceState.of(pod, names);
  }

  /**
   * When the pod entered a phase.
   *
   * @param phase empty for the current one
   * @return empty if the pod is not in that phase
   * @throws SandboxException {@link SandboxException.Reason#UNREADABLE_STATE}
   */
  public Optional<Instant> phaseSince(JsonNode pod, String phase) {
    return PhaseTimes.since(pod, phase, names);
  }

  /**
   * How long the pod has been in a phase; never negative.
   *
   * @param now null for the current time
   * @return empty if the pod is not in that phase
   * @throws SandboxException {@link SandboxException.Reason#UNREADABLE_STATE}
   */
  public Optional<Duration> phaseDuration(JsonNode pod, String phase, @Nullable Instant now) {
    Instant end = now == null || now.equals(Instant.EPOCH) ? env.clock().instant() : now;
    return phaseSince(pod, phase)
        .map(since -> Duration.between(since, end))
        .map(age -> age.isNegative() ? Duration.ZERO : age);
  }

  /**
   * Whether a container of a running sandbox died and restarted.
   *
   * @throws SandboxException {@link SandboxException.Reason#UNREADABLE_STATE}
   */
  public boolean hasUnexpectedRestart(JsonNode pod) {
    return restarted(pod).isPresent();
  }

  /** Returns the container that died and restarted. */
  public Optional<String> restarted(JsonNode pod) {
    return Restarts.unexpected(pod, names);
  }

  /**
   * Whether the containers run the images of the update. Registry secrets come from the pod, while
   * agentbox takes them from the pool.
   *
   * @param resolver null: the result is unknown, so false
   * @return false also while the result is unknown; fails with {@link
   *     SandboxException.Reason#UNREADABLE_STATE} only
   */
  public Future<Boolean> isCompleted(JsonNode pod, @Nullable DigestResolver resolver) {
    return completion.isCompleted(pod, resolver);
  }

  /**
   * Marks the update as complete, if it is and the pod's phase is unchanged. After a conflict,
   * reads the pod and decides again.
   *
   * @param pod known version: its phase must still be the server's
   * @return the pod as the server holds it, for the caller's next operation; empty for a pod that
   *     never had an update. Fails with {@link KubeException} or {@link SandboxException}
   */
  public Future<Optional<JsonNode>> markCompleted(JsonNode pod, @Nullable DigestResolver resolver) {
    String seen = phase(pod);
    return update(pod, live -> completed(live, seen, resolver), true)
        .map(
            live ->
                PodTree.hasAnnotation(live, names.state()) ? Optional.of(live) : Optional.empty());
  }

  private Future<Optional<ObjectNode>> completed(
      ObjectNode live, String seen, @Nullable DigestResolver resolver) {
    Optional<InplaceState> state = state(live);
    if (state.isEmpty() || !state.get().inFlight() || !phase(live).equals(seen)) {
      return Future.succeededFuture(Optional.empty());
    }
    return isCompleted(live, resolver)
        .map(
            done ->
                done
                    ? Optional.of(CompletionPlan.of(live, state.get(), names, now()))
                    : Optional.empty());
  }

  /**
   * Begins an update: images, labels and annotations in one write.
   *
   * @return the pod as the server holds it, changed or not; fails with {@link SandboxException} for
   *     invalid options or a pod in the wrong state, else with {@link KubeException}
   */
  public Future<JsonNode> trigger(JsonNode pod, UpdateOptions options) {
    try {
      options.check(names);
    } catch (SandboxException refused) {
      meter.failed(refused);
      return Future.failedFuture(refused);
    }
    return triggerPlanned(pod, live -> options, !options.disableRetry());
  }

  /**
   * Begins an update whose options depend on the pod as the server holds it.
   *
   * @param options called for each attempt; may throw {@link SandboxException}
   */
  public Future<JsonNode> triggerPlanned(
      JsonNode pod, Function<JsonNode, UpdateOptions> options, boolean retry) {
    return update(
            pod,
            live -> {
              UpdateOptions wanted = options.apply(live);
              wanted.check(names);
              return Future.succeededFuture(TriggerPlan.of(live, wanted, names, now()));
            },
            retry)
        .onSuccess(written -> meter.succeeded())
        .onFailure(meter::failed);
  }

  private Future<JsonNode> update(
      JsonNode pod, Function<ObjectNode, Future<Optional<ObjectNode>>> change, boolean retry) {
    return trusting && pod instanceof ObjectNode known
        ? asKnown(known, change)
            .compose(
                written ->
                    written.map(Future::succeededFuture).orElseGet(() -> write(pod, change, retry)))
        : write(pod, change, retry);
  }

  /** Tries the update on the known version; empty if the pod must be read first. */
  private Future<Optional<JsonNode>> asKnown(
      ObjectNode known, Function<ObjectNode, Future<Optional<ObjectNode>>> change) {
    Future<Optional<ObjectNode>> wanted;
    try {
      wanted = change.apply(known.deepCopy());
    } catch (SandboxException judged) {
      wanted = Future.failedFuture(judged);
    }
    return wanted
        .otherwise(Optional.empty()) // judged by a version that may be outdated
        .compose(
            changed ->
                changed
                    .flatMap(after -> VersionedPatch.of(known, after))
                    .map(patch -> patched(known, patch))
                    .orElse(Future.succeededFuture(Optional.empty())));
  }

  private Future<Optional<JsonNode>> patched(ObjectNode known, ObjectNode patch) {
    return api.patch(PodTree.namespace(known), PodTree.name(known), patch)
        .map(live -> Optional.<JsonNode>of(live))
        .recover(
            failure ->
                KubeException.is(failure, Kind.CONFLICT)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  /**
   * Reads a pod, decides and writes; repeats this after a conflict.
   *
   * @param change returns the pod to write, empty for no write; its failures, thrown or not, are
   *     final
   * @return the pod as the server holds it
   */
  public Future<JsonNode> write(
      JsonNode pod, Function<ObjectNode, Future<Optional<ObjectNode>>> change, boolean retry) {
    Promise<JsonNode> done = Promise.promise();
    attempt(pod, change, retry ? ATTEMPTS : 1, 1, done);
    return done.future();
  }

  private void attempt(
      JsonNode pod,
      Function<ObjectNode, Future<Optional<ObjectNode>>> change,
      int attempts,
      int attempt,
      Promise<JsonNode> done) {
    once(pod, change)
        .onComplete(
            result -> {
              if (result.succeeded()) {
                done.complete(result.result());
              } else if (attempt < attempts && KubeException.is(result.cause(), Kind.CONFLICT)) {
                loop.setTimer(
                    RETRY.delay(attempt, env.random()).toMillis(),
                    () -> attempt(pod, change, attempts, attempt + 1, done));
              } else {
                done.fail(result.cause());
              }
            });
  }

  private Future<JsonNode> once(
      JsonNode pod, Function<ObjectNode, Future<Optional<ObjectNode>>> change) {
    return api.get(PodTree.namespace(pod), PodTree.name(pod))
        .compose(
            live -> {
              if (!PodTree.uid(pod).isEmpty() && !PodTree.uid(pod).equals(PodTree.uid(live))) {
                return Future.<JsonNode>failedFuture(gone(pod));
              }
              return change
                  .apply(live)
                  .compose(
                      changed ->
                          changed.isPresent()
                              ? api.update(changed.get()).map(written -> (JsonNode) written)
                              : Future.succeededFuture((JsonNode) live));
            });
  }

  private static KubeException gone(JsonNode pod) {
    return new KubeException(
        Kind.NOT_FOUND,
        404,
        "pod %s/%s with uid %s is gone; another one has its name"
            .formatted(PodTree.namespace(pod), PodTree.name(pod), PodTree.uid(pod)),
        null,
        null);
  }

  /** Current time in whole seconds, the resolution of annotations. */
  private Instant now() {
    return env.clock().instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
