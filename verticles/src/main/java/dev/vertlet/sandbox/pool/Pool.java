package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.CoreLoop;
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
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool of warm pods: two lines, of pods that are ready and of claims that wait, and what is
 * done about each pod in between. Confined to its loop; methods are called there and Futures
 * complete there.
 *
 * <p>What it knows of pods comes from the watch and from its own writes, the newest counts. One
 * write for a pod is under way at a time, and {@value #WRITES} in all.
 */
public final class Pool {
  private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

  /** Writes of one pool that are under way. */
  static final int WRITES = 128;

  /** How often pods are looked at that wait for something the watch does not tell. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final PoolSpec spec;
  private final SandboxOperations operations;
  private final SandboxNames names;
  private final PodApi api;
  private final DigestResolver resolver;
  private final CoreLoop loop;
  private final Clock clock;
  private final PoolMeters meters;
  private final PodRules rules;
  private final PodBook book;
  private final PoolSize size;
  private final Claims claims;
  private final Waiters waiters = new Waiters();
  private final Reservations reservations = new Reservations();
  private final WriteSlots slots = new WriteSlots(WRITES);

  /** UIDs in the order in which they got ready. */
  private final Set<String> ready = new LinkedHashSet<>();

  /** UIDs of pods that something is being done about. */
  private final Set<String> busy = new HashSet<>();

  /** Ids whose claims have failed although a write may have got through, and those released. */
  private final RecentIds abandoned = new RecentIds();

  private final RecentIds released = new RecentIds();
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
      Clock clock,
      RandomGenerator random,
      MeterRegistry metrics) {
    this.spec = spec;
    this.operations = operations;
    this.names = operations.names();
    this.api = api;
    this.resolver = resolver;
    this.loop = loop;
    this.clock = clock;
    this.meters = new PoolMeters(metrics, spec.name());
    this.book = new PodBook(names);
    ObjectNode given = spec.template();
    PodTemplate template = given == null ? null : new PodTemplate(spec, given, names);
    this.rules = new PodRules(spec, operations, template);
    this.size = new PoolSize(spec, template, api, slots, clock, random, this::learn);
    this.claims = new Claims(loop, clock, meters, this::match);
    meters.gauges(() -> book.all().size(), ready::size, claims::waiting);
  }

  public PoolSpec spec() {
    return spec;
  }

  // ---- what the watch tells

  /** A pod is new or has changed. */
  public void upserted(JsonNode pod) {
    learn(pod);
  }

  /** A pod is gone. */
  public void deleted(String uid) {
    ready.remove(uid);
    book.remove(uid)
        .ifPresent(
            pod -> {
              if (!book.sandbox(pod).isEmpty()) {
                waiters.tell(sandbox(pod).in(Sandbox.GONE));
              }
            });
    resize();
  }

  /** All pods that there are have been told of: from now on missing ones are made. */
  public void synced() {
    synced = true;
    resize();
    arm();
    known.tryComplete();
  }

  /**
   * Completes once all pods have been told of: before, nobody can say that an id is unknown. Fails
   * with {@link Reason#NO_IDLE_PODS} when the pool ends before.
   */
  Future<Void> known() {
    return known.future();
  }

  private void learn(JsonNode pod) {
    PodObject object = PodObject.of(pod);
    Optional<PodObject> before = book.get(object.uid());
    if (stopped || !book.put(object)) {
      return;
    }
    String id = book.sandbox(object);
    if (!id.isEmpty()) {
      waiters.tell(sandbox(object));
      if (isServing(object) && !book.isDuplicate(object)) {
        if (claims.found(id, sandbox(object))) {
          told(object);
        }
      }
    }
    before
        .filter(known -> !book.sandbox(known).isEmpty() && !book.sandbox(known).equals(id))
        .ifPresent(known -> waiters.tell(sandbox(known).in(SandboxPhases.IDLE)));
    evaluate(object.uid());
    resize();
  }

  /** Makes what is missing; of what is too many, those go that would be claimed last. */
  private void resize() {
    if (!synced || stopped) {
      return;
    }
    int surplus = size.reconcile(book.all(), rules);
    if (surplus > 0) {
      List<String> line = new ArrayList<>(ready);
      for (String uid : line.subList(Math.max(0, line.size() - surplus), line.size())) {
        ready.remove(uid);
        book.get(uid).ifPresent(pod -> during(pod, () -> letGo(pod, true)));
      }
    }
  }

  private Sandbox sandbox(PodObject pod) {
    return Sandbox.of(spec.name(), pod.tree(), names);
  }

  // ---- what is done about pods

  /** Looks at what the watch does not tell: ages, registries, reservations that have run out. */
  private void arm() {
    timer =
        loop.setTimer(
            LOOK.toMillis(),
            () -> {
              if (!stopped) {
                for (PodObject pod : List.copyOf(book.all())) {
                  evaluate(pod.uid());
                }
                resize();
                arm();
              }
            });
  }

  private void evaluate(String uid) {
    Optional<PodObject> known = book.get(uid);
    if (known.isEmpty() || busy.contains(uid) || stopped) {
      return;
    }
    PodObject pod = known.get();
    PodStep step = rules.next(pod.tree(), clock.instant());
    if (step != PodStep.OFFER) {
      ready.remove(uid);
    }
    String id = book.sandbox(pod);
    boolean unwanted =
        (abandoned.contains(id, clock.instant()) || book.isDuplicate(pod)) && isServing(pod);
    switch (unwanted ? PodStep.GIVE_UP : step) {
      case NOTHING -> {}
      case OFFER -> offer(pod);
      case LOOK -> look(pod);
      case GIVE_UP -> end(pod, unwanted ? Stop.CANCELED : Stop.STARTUP_TIMEOUT);
      case END_UNUSED -> end(pod, Stop.IDLE_TIMEOUT);
      case END_RESTARTED -> end(pod, failure(pod.tree()));
      case REMOVE -> during(pod, () -> letGo(pod, true));
      case RENEW -> {
        if (size.mayRenew(busy.size())) {
          during(pod, () -> letGo(pod, true));
        }
      }
      case LET_GO -> during(pod, () -> letGo(pod, false));
    }
  }

  private Sandbox told(PodObject pod) {
    book.tell(book.sandbox(pod), pod.uid())
        .ifPresent(duplicate -> loop.later(() -> evaluate(duplicate.uid())));
    return sandbox(pod);
  }

  private boolean isServing(PodObject pod) {
    String phase = operations.phase(pod.tree());
    return phase.equals(SandboxPhases.STARTING) || phase.equals(SandboxPhases.RUNNING);
  }

  private void offer(PodObject pod) {
    if (!reservations.isHeld(pod.uid(), pod.resourceVersion(), clock.instant())
        && ready.add(pod.uid())) {
      match();
    }
  }

  private void look(PodObject pod) {
    during(
        pod,
        () ->
            operations
                .isCompleted(pod.tree(), resolver)
                .compose(
                    done ->
                        done
                            ? slots
                                .run(() -> operations.markCompleted(pod.tree(), resolver))
                                .onSuccess(live -> live.ifPresent(l -> completed(pod, l)))
                            : Future.succeededFuture()));
  }

  private void completed(PodObject before, JsonNode live) {
    if (operations.phase(before.tree()).equals(SandboxPhases.STARTING)
        && operations.phase(live).equals(SandboxPhases.RUNNING)) {
      operations
          .phaseSince(before.tree(), SandboxPhases.STARTING)
          .ifPresent(since -> meters.started(Duration.between(since, clock.instant())));
    }
    learn(live);
  }

  /** Does something about a pod, and looks at it again if it changed meanwhile. */
  private void during(PodObject pod, Supplier<Future<?>> work) {
    busy.add(pod.uid());
    work.get()
        .onComplete(
            done -> {
              busy.remove(pod.uid());
              if (done.failed()) {
                report(pod, done.cause());
              }
              boolean changed =
                  book.get(pod.uid())
                      .map(now -> now.resourceVersion() != pod.resourceVersion())
                      .orElse(false);
              if (changed) {
                evaluate(pod.uid());
              }
            });
  }

  private static void report(PodObject pod, Throwable failure) {
    boolean routine =
        KubeException.is(failure, Kind.CONFLICT)
            || KubeException.is(failure, Kind.NOT_FOUND)
            || SandboxException.is(failure, Reason.UNEXPECTED_PHASE);
    if (!routine) {
      LOG.atWarn()
          .addKeyValue("namespace", pod.namespace())
          .addKeyValue("pod", pod.name())
          .addKeyValue("error", failure.getMessage())
          .log("a sandbox pod could not be written");
    }
  }

  private void end(PodObject pod, Stop why) {
    during(pod, () -> release(pod, book.sandbox(pod), why, why.failureReason().isEmpty()));
  }

  private Future<JsonNode> release(PodObject pod, String id, Stop why, boolean retry) {
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
              released.add(id, clock.instant());
              abandoned.add(id, clock.instant()); // should it have a second pod
              if (ends[0]) {
                recordStop(pod, id, why);
              }
              learn(live);
            });
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

  private Stop failure(JsonNode pod) {
    String container = operations.restarted(pod).orElse("");
    JsonNode ended = PodTree.status(pod, container).path("lastState").path("terminated");
    return new Stop(
        "Failed",
        ended.path("reason").asText("UnexpectedRestart"),
        "container " + container + " ended and was started again",
        ended.path("exitCode").asText(""));
  }

  /** Takes the finalizer off and, where nobody did that yet, deletes the pod. */
  private Future<?> letGo(PodObject pod, boolean delete) {
    String id = book.sandbox(pod);
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

  /** Only while the pod is what was judged; a claim may have been quicker. */
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

  // ---- claims

  /**
   * Takes a pod, as soon as there is one.
   *
   * @return the sandbox, starting or running; fails with {@link SandboxException}: {@link
   *     Reason#NO_IDLE_PODS} when its time is over or the pool ends, {@link Reason#QUEUE_FULL}, or
   *     what is wrong with the claim; else with {@link KubeException}
   */
  public Future<Sandbox> claim(ClaimRequest request) {
    try {
      ClaimOptions.check(request, spec, names);
    } catch (SandboxException refused) {
      return Future.failedFuture(refused);
    }
    abandoned.remove(request.id());
    Optional<PodObject> owned = book.ofSandbox(request.id());
    if (owned.isPresent() && !claims.knows(request.id())) {
      return isServing(owned.get())
          ? Future.succeededFuture(told(owned.get()))
          : Future.failedFuture(
              new SandboxException(
                  Reason.UNEXPECTED_PHASE,
                  Reason.UNEXPECTED_PHASE.text()
                      + ": sandbox \"%s\" is %s"
                          .formatted(request.id(), operations.phase(owned.get().tree()))));
    }
    if (stopped) {
      return Future.failedFuture(new SandboxException(Reason.NO_IDLE_PODS));
    }
    Duration patience = request.patience();
    return claims.add(request, patience == null ? spec.claimTimeout() : patience);
  }

  /** Takes a claim back that has no pod yet; what it gets all the same is released. */
  public boolean cancel(String id) {
    return claims.cancel(id);
  }

  private void match() {
    while (!ready.isEmpty() && !stopped) {
      Optional<Claim> next = claims.next();
      if (next.isEmpty()) {
        return;
      }
      String uid = ready.iterator().next();
      ready.remove(uid);
      Optional<PodObject> pod = book.get(uid);
      if (pod.isPresent()) {
        attempt(next.get(), pod.get());
      } else {
        claims.again(next.get());
      }
    }
  }

  private void attempt(Claim claim, PodObject pod) {
    reservations.hold(pod.uid(), pod.resourceVersion(), clock.instant());
    busy.add(pod.uid());
    claim.writing = true;
    slots
        .run(
            () ->
                claim.over
                    ? Future.<JsonNode>failedFuture(new SandboxException(Reason.NO_IDLE_PODS))
                    : operations.trigger(
                        pod.tree(), ClaimOptions.of(claim.request, pod.tree(), names, now())))
        .onComplete(
            done -> {
              claim.writing = false;
              busy.remove(pod.uid());
              if (done.succeeded()) {
                claimed(claim, pod, done.result());
              } else {
                missed(claim, pod, done.cause());
              }
              evaluate(pod.uid());
            });
  }

  private void claimed(Claim claim, PodObject pod, JsonNode live) {
    reservations.hold(pod.uid(), PodTree.resourceVersion(live), clock.instant());
    if (claim.cancelled) {
      abandoned.add(claim.request.id(), clock.instant());
    }
    claims.succeeded(claim, Sandbox.of(spec.name(), live, names));
    Optional<PodObject> other = book.tell(claim.request.id(), pod.uid());
    learn(live);
    other.ifPresent(duplicate -> evaluate(duplicate.uid()));
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
    reservations.drop(pod.uid());
    if (!(failure instanceof SandboxException)) {
      abandoned.add(claim.request.id(), clock.instant()); // the write may have got through
    }
    claims.failed(claim, failure);
  }

  /**
   * Gives a sandbox back, or a claim up.
   *
   * @return the pod on its way back, empty for a claim that had none or a sandbox that has ended
   *     before; fails with {@link Reason#NOT_FOUND} for an id that is not known
   */
  public Future<Optional<Sandbox>> release(String id) {
    if (claims.cancel(id)) {
      released.add(id, clock.instant());
      return Future.succeededFuture(Optional.empty());
    }
    Optional<PodObject> pod = book.ofSandbox(id);
    if (pod.isEmpty()) {
      return released.contains(id, clock.instant())
          ? Future.succeededFuture(Optional.empty())
          : notFound(id);
    }
    return release(pod.get(), id, Stop.RELEASED, true)
        .map(live -> Optional.of(Sandbox.of(spec.name(), live, names)));
  }

  /** Somebody uses the sandbox: its idle time-out begins anew. */
  public Future<Sandbox> touch(String id) {
    Optional<PodObject> pod = book.ofSandbox(id);
    if (pod.isEmpty()) {
      return notFound(id);
    }
    return slots
        .run(
            () ->
                operations.write(
                    pod.get().tree(), live -> Future.succeededFuture(touched(live, id)), true))
        .map(
            live -> {
              learn(live);
              return Sandbox.of(spec.name(), live, names);
            });
  }

  private Optional<ObjectNode> touched(ObjectNode live, String id) {
    if (!PodTree.label(live, names.id()).equals(id)) {
      throw new SandboxException(Reason.NOT_FOUND, "sandbox \"" + id + "\" not found");
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

  private static <T> Future<T> notFound(String id) {
    return Future.failedFuture(
        new SandboxException(Reason.NOT_FOUND, "sandbox \"" + id + "\" not found"));
  }

  // ---- what is told

  /** A sandbox by its id; empty when no pod has it. */
  public Optional<Sandbox> sandbox(String id) {
    return book.ofSandbox(id).map(this::sandbox);
  }

  public List<Sandbox> sandboxes() {
    List<Sandbox> all = new ArrayList<>();
    for (PodObject pod : book.all()) {
      if (!book.sandbox(pod).isEmpty()) {
        all.add(sandbox(pod));
      }
    }
    return all;
  }

  public PoolStatus status() {
    Map<String, Integer> phases = new TreeMap<>();
    book.all().forEach(pod -> phases.merge(operations.phase(pod.tree()), 1, Integer::sum));
    return new PoolStatus(
        spec.name(), spec.namespace(), spec.size(), ready.size(), claims.waiting(), phases);
  }

  /** Tells of each change of a sandbox from now on, until the result is run. */
  public Runnable watch(Consumer<Sandbox> watcher) {
    return waiters.watch(watcher);
  }

  /**
   * Waits until a sandbox is in a phase.
   *
   * @return as it is then, or as it is when it has ended or the time is over; fails with {@link
   *     Reason#NOT_FOUND}
   */
  public Future<Sandbox> await(String id, String phase, Duration patience) {
    return sandbox(id)
        .map(now -> waiters.await(now, phase, patience, loop))
        .orElseGet(() -> notFound(id));
  }

  /** Fails all claims that wait, and does nothing more. What is written already is answered. */
  public void stop() {
    stopped = true;
    loop.cancelTimer(timer);
    ready.clear();
    known.tryFail(new SandboxException(Reason.NO_IDLE_PODS));
    claims.drain();
    meters.close();
  }

  /** Writes under way. */
  public int writing() {
    return slots.taken();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
