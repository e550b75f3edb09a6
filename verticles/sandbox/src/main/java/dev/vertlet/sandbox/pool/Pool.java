package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.ConcurrencyLimit;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxOperations;
import dev.vertlet.sandbox.SandboxPhases;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.PendingClaim;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import dev.vertlet.sandbox.pool.claim.Waiters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One pool of warm pods: matches ready pods with waiting claims and performs the steps of each pod.
 * Confined to its loop; methods are called there and Futures complete there.
 *
 * <p>Its knowledge of pods comes from the watch and from its own writes; the newest version wins.
 * At most one write per pod is in progress at a time, and {@value #WRITES} in all.
 */
public final class Pool {
  /** Maximum number of concurrent writes of one pool. */
  static final int WRITES = 128;

  /** Interval of checks for changes that the watch does not report. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final PoolSpec spec;
  private final SandboxOperations operations;
  private final SandboxNames names;
  private final CoreLoop loop;
  private final Clock clock;
  private final PoolMeters meters;
  private final PodRules rules;
  private final PoolPods pods;
  private final Claims claims;
  private final Waiters waiters = new Waiters();
  private final ReadyLine ready = new ReadyLine();
  private final EndedIds ended = new EndedIds();
  private final ConcurrencyLimit slots = new ConcurrencyLimit(WRITES);
  private final PodWrites writes;
  private final PodCare care;
  private final Promise<Void> known = Promise.promise();
  private boolean synced;
  private boolean stopped;
  private long timer = -1;

  public Pool(
      PoolSpec spec,
      SandboxOperations operations,
      PodApi api,
      DigestResolver resolver,
      CoreLoop loop,
      Env env) {
    this.spec = spec;
    this.operations = operations;
    this.names = operations.names();
    this.loop = loop;
    this.clock = env.clock();
    this.meters = new PoolMeters(env.meters(), spec.name());
    this.pods = new PoolPods(names);
    ObjectNode given = spec.template();
    PodTemplate template = given == null ? null : new PodTemplate(spec, given, names);
    this.rules = new PodRules(spec, operations, template);
    this.writes = new PodWrites(spec, operations, api, resolver, slots, clock, meters);
    PoolSize size = new PoolSize(spec, template, api, slots, env, this::learn);
    this.care =
        new PodCare(pods, ready, ended, rules, size, writes, clock, this::match, this::learn);
    this.claims = new Claims(loop, clock, meters, this::match);
    meters.gauges(() -> pods.all().size(), ready::size, claims::waiting);
  }

  public PoolSpec spec() {
    return spec;
  }

  // ---- events of the watch

  /** A pod is new or has changed. */
  public void upserted(JsonNode pod) {
    learn(pod);
  }

  /** A pod is gone. */
  public void deleted(String uid) {
    ready.remove(uid);
    pods.remove(uid)
        .ifPresent(
            pod -> {
              if (!pods.sandbox(pod).isEmpty()) {
                waiters.tell(sandbox(pod).in(Sandbox.GONE));
              }
            });
    resize();
  }

  /** The first list is complete: creates missing pods from now on. */
  public void synced() {
    synced = true;
    resize();
    arm();
    known.tryComplete();
  }

  /**
   * Completes when the first list is complete: before that, an id cannot be reported as unknown.
   * Fails with {@link Reason#NO_IDLE_PODS} when the pool ends before.
   */
  Future<Void> known() {
    return known.future();
  }

  private void learn(JsonNode pod) {
    PodObject object = PodObject.of(pod);
    Optional<PodObject> before = pods.get(object.uid());
    if (stopped || !pods.put(object)) {
      return;
    }
    String id = pods.sandbox(object);
    if (!id.isEmpty()) {
      waiters.tell(sandbox(object));
      if (rules.isServing(object.tree()) && !pods.isDuplicate(object)) {
        if (claims.found(id, sandbox(object))) {
          returned(object);
        }
      }
    }
    before
        .filter(known -> !pods.sandbox(known).isEmpty() && !pods.sandbox(known).equals(id))
        .ifPresent(known -> waiters.tell(sandbox(known).in(SandboxPhases.IDLE)));
    care.look(object.uid());
    resize();
  }

  private void resize() {
    if (synced && !stopped) {
      care.resize();
    }
  }

  private Sandbox sandbox(PodObject pod) {
    return Sandbox.of(spec.name(), pod.tree(), names);
  }

  /**
   * Schedules checks for changes that the watch does not report: ages, registries, expired
   * reservations.
   */
  private void arm() {
    timer =
        loop.setTimer(
            LOOK.toMillis(),
            () -> {
              if (!stopped) {
                care.lookAtAll();
                resize();
                arm();
              }
            });
  }

  private Sandbox returned(PodObject pod) {
    pods.returned(pods.sandbox(pod), pod.uid())
        .ifPresent(duplicate -> loop.later(() -> care.look(duplicate.uid())));
    return sandbox(pod);
  }

  // ---- claims

  /**
   * Claims a pod, as soon as one is ready.
   *
   * @return the sandbox, starting or running; fails with {@link SandboxException}: {@link
   *     Reason#NO_IDLE_PODS} when the deadline has passed or the pool ends, {@link
   *     Reason#QUEUE_FULL}, or the reason of an invalid claim; else with {@link KubeException}
   */
  public Future<Sandbox> claim(ClaimRequest request) {
    return enter(request).sandbox();
  }

  /** Claims a pod for a caller that may withdraw its request. */
  public PendingClaim enter(ClaimRequest request) {
    try {
      ClaimOptions.check(request, spec, names);
    } catch (SandboxException refused) {
      return PendingClaim.answered(Future.failedFuture(refused));
    }
    ended.claim(request.id());
    Optional<PodObject> owned = pods.ofSandbox(request.id());
    if (owned.isPresent() && !claims.knows(request.id())) {
      return PendingClaim.answered(known(owned.get(), request.id()));
    }
    if (stopped) {
      return PendingClaim.answered(Future.failedFuture(new SandboxException(Reason.NO_IDLE_PODS)));
    }
    Duration patience = request.patience();
    return claims.add(request, patience == null ? spec.claimTimeout() : patience);
  }

  private Future<Sandbox> known(PodObject pod, String id) {
    return rules.isServing(pod.tree())
        ? Future.succeededFuture(returned(pod))
        : Future.failedFuture(
            new SandboxException(
                Reason.UNEXPECTED_PHASE,
                Reason.UNEXPECTED_PHASE.text()
                    + ": sandbox \"%s\" is %s".formatted(id, operations.phase(pod.tree()))));
  }

  private void match() {
    while (!ready.isEmpty() && !stopped) {
      Optional<Claim> next = claims.next();
      if (next.isEmpty()) {
        return;
      }
      Optional<PodObject> pod = ready.poll().flatMap(pods::get);
      if (pod.isPresent()) {
        attempt(next.get(), pod.get());
      } else {
        claims.again(next.get());
      }
    }
  }

  private void attempt(Claim claim, PodObject pod) {
    ready.hold(pod.uid(), pod.resourceVersion(), clock.instant());
    care.begin(pod.uid());
    claim.writing = true;
    writes
        .claim(pod, claim)
        .onComplete(
            done -> {
              claim.writing = false;
              care.done(pod.uid());
              if (done.succeeded()) {
                claimed(claim, pod, done.result());
              } else {
                missed(claim, pod, done.cause());
              }
              care.look(pod.uid());
            });
  }

  private void claimed(Claim claim, PodObject pod, JsonNode live) {
    ready.hold(pod.uid(), PodTree.resourceVersion(live), clock.instant());
    if (claim.cancelled) {
      ended.abandon(claim.request.id(), clock.instant());
    }
    claims.succeeded(claim, Sandbox.of(spec.name(), live, names));
    Optional<PodObject> other = pods.returned(claim.request.id(), pod.uid());
    learn(live);
    other.ifPresent(duplicate -> care.look(duplicate.uid()));
  }

  private void missed(Claim claim, PodObject pod, Throwable failure) {
    boolean taken =
        KubeException.is(failure, Kind.CONFLICT)
            || KubeException.is(failure, Kind.NOT_FOUND)
            || SandboxException.is(failure, Reason.UNEXPECTED_PHASE)
            || SandboxException.is(failure, Reason.NOT_RUNNING);
    if (taken) {
      claims.again(claim);
      return;
    }
    ready.release(pod.uid());
    if (!(failure instanceof SandboxException)) {
      ended.abandon(claim.request.id(), clock.instant()); // the write may have succeeded
    }
    claims.failed(claim, failure);
  }

  /**
   * Releases a sandbox, or cancels a claim.
   *
   * @return the pod that is being released, empty for a claim without a pod or a sandbox that has
   *     ended before; fails with {@link Reason#NOT_FOUND} for an unknown id
   */
  public Future<Optional<Sandbox>> release(String id) {
    if (claims.cancel(id)) {
      ended.cancel(id, clock.instant());
      return Future.succeededFuture(Optional.empty());
    }
    Optional<PodObject> pod = pods.ofSandbox(id);
    if (pod.isEmpty()) {
      return ended.released(id, clock.instant())
          ? Future.succeededFuture(Optional.empty())
          : notFound(id);
    }
    return care.release(pod.get(), id, Stop.RELEASED, true)
        .map(live -> Optional.of(Sandbox.of(spec.name(), live, names)));
  }

  /** Records activity of the sandbox: restarts its idle timeout. */
  public Future<Sandbox> touch(String id) {
    Optional<PodObject> pod = pods.ofSandbox(id);
    if (pod.isEmpty()) {
      return notFound(id);
    }
    return writes
        .touch(pod.get(), id)
        .map(
            live -> {
              learn(live);
              return Sandbox.of(spec.name(), live, names);
            });
  }

  private static <T> Future<T> notFound(String id) {
    return Future.failedFuture(Sandbox.notFound(id));
  }

  // ---- state

  /** Returns a sandbox by its id; empty if no pod has it. */
  public Optional<Sandbox> sandbox(String id) {
    return pods.ofSandbox(id).map(this::sandbox);
  }

  public List<Sandbox> sandboxes() {
    List<Sandbox> all = new ArrayList<>();
    for (PodObject pod : pods.all()) {
      if (!pods.sandbox(pod).isEmpty()) {
        all.add(sandbox(pod));
      }
    }
    return all;
  }

  public PoolStatus status() {
    Map<String, Integer> phases = new TreeMap<>();
    pods.all().forEach(pod -> phases.merge(operations.phase(pod.tree()), 1, Integer::sum));
    return new PoolStatus(
        spec.name(), spec.namespace(), spec.size(), ready.size(), claims.waiting(), phases);
  }

  /** Calls {@code watcher} with each change of a sandbox, until the returned Runnable is run. */
  public Runnable watch(Consumer<Sandbox> watcher) {
    return waiters.watch(watcher);
  }

  /**
   * Waits until a sandbox is in a phase.
   *
   * @return the sandbox in that phase, or its latest state when it has ended or the time is over;
   *     fails with {@link Reason#NOT_FOUND}
   */
  public Future<Sandbox> await(String id, String phase, Duration patience) {
    return sandbox(id)
        .map(now -> waiters.await(now, phase, patience, loop))
        .orElseGet(() -> notFound(id));
  }

  /** Fails all waiting claims and ends all work. Writes in progress still answer their claims. */
  public void stop() {
    stopped = true;
    loop.cancelTimer(timer);
    care.stop();
    known.tryFail(new SandboxException(Reason.NO_IDLE_PODS));
    claims.drain();
    meters.close();
  }

  /** Number of writes in progress. */
  public int writing() {
    return slots.running();
  }
}
