package dev.vertlet.kubelet.podworker;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.admission.Rejection;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.Disruption;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.OwnedStatus;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodMetricDelta;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RestingPod;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.TimerWheel;
import dev.vertlet.kubelet.status.StatusAssembly;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.pod.ProviderContext;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Drives pods: decide, perform, report, and wake up when the decision is due. Uses one timer for
 * all pods. Runs on the core's loop.
 */
public final class PodDriver {
  /**
   * Most decisions in one turn. A runtime that answers at once and then undoes its answer must not
   * hold the loop for ever.
   */
  private static final int TURNS = 64;

  private final WorkOptions options;
  private final ProviderContext context;
  private final CoreLoop loop;
  private final Clock clock;
  private final RandomGenerator random;
  private final NetworkState network;
  private final CoreMeters meters;
  private final PodEvents events;
  private final ContainerEnvironments environments;
  private final RuntimeCalls calls;
  private final ActionPerformer performer;
  private final TimerWheel<PodState> wheel;
  private long timerId = -1;
  private long timerAt = Long.MAX_VALUE;
  private boolean closed;
  private Consumer<PodState> done = pod -> {};
  private Consumer<PodState> quiet = pod -> {};
  private Consumer<String> pulled = node -> {};
  private int relist;

  /**
   * @param inputs of the environment of containers
   * @param network of the nodes
   */
  public PodDriver(
      CoreEnv env, WorkOptions options, EnvironmentInputs inputs, NetworkState network) {
    this.options = options;
    this.context = env.context();
    this.loop = env.loop();
    this.clock = env.clock();
    this.random = env.random();
    this.network = network;
    this.meters = env.meters();
    this.events = env.events();
    this.environments = new ContainerEnvironments(env, inputs, options.hostIPs(), this::drive);
    this.wheel = new TimerWheel<>(clock.millis());
    this.calls = new RuntimeCalls(env, options.backOff(), this::drive, this::turn);
    this.performer =
        new ActionPerformer(env, calls, environments, network, node -> pulled.accept(node));
  }

  /** Performs all that is due for the pod now. */
  public void drive(PodState pod) {
    pod.touch(relist);
    turn(pod);
  }

  /** Drives the pod without a touch: only time passed, and nothing was learned about it. */
  private void turn(PodState pod) {
    if (pod.forgotten() || closed || pod.busy()) {
      return;
    }
    if (pod.dirty() && !options.fast() && showsFirst(pod)) {
      show(pod);
    }
    pod.beginTurn();
    try {
      long wakeAt = decide(pod);
      schedule(pod, wakeAt);
    } finally {
      pod.endTurn();
    }
    pod.count(meters);
    show(pod);
  }

  /** A kubelet writes the status of a new pod, and an end, before it acts on them. */
  private static boolean showsFirst(PodState pod) {
    return pod.life() == PodState.Life.SYNCING
        && !pod.deleting()
        && (pod.reported() == null || (pod.containers().hasEnd() && !MessagePlan.isDue(pod)));
  }

  private long decide(PodState pod) {
    for (int i = 0; i < TURNS; i++) {
      pod.deciding();
      PodDecision decision =
          PodPlan.decide(pod, network.ready(), options.prePull(), clock.millis());
      for (PodAction action : decision.actions()) {
        if (!action.looksOnly()) {
          pod.touch(relist);
        }
        performer.perform(pod, action);
      }
      if (decision.actions().isEmpty() && !pod.again()) {
        return decision.wakeAt();
      }
    }
    loop.later(() -> turn(pod));
    return Long.MAX_VALUE;
  }

  private void schedule(PodState pod, long wakeAt) {
    if (pod.finished()) {
      wheel.cancel(pod);
      return;
    }
    long now = clock.millis();
    if (pod.resyncAt() <= now) {
      double stretch = 1 + random.nextDouble() / 2;
      long pause = (long) (options.syncFrequency().applyAsLong(pod.node()) * stretch);
      pod.resyncAt(now + pause);
    }
    wheel.schedule(pod, Math.min(wakeAt, pod.resyncAt()));
    long tick = TimerWheel.tickAfter(pod.at());
    if (tick < timerAt) {
      arm(tick);
    }
  }

  private void arm(long at) {
    if (timerId >= 0) {
      loop.cancelTimer(timerId);
      timerId = -1;
    }
    timerAt = at;
    if (at != Long.MAX_VALUE) {
      timerId = loop.setTimer(Math.max(1, at - clock.millis()), this::onTimer);
    }
  }

  private void onTimer() {
    timerId = -1;
    timerAt = Long.MAX_VALUE;
    if (!closed) {
      wheel.advance(clock.millis(), this::timePassed);
      arm(wheel.nextTick());
    }
  }

  private void timePassed(PodState pod) {
    turn(pod);
    quiet.accept(pod);
  }

  /** Number of the current or last relist; see {@link RuntimeRelist}. */
  int relist() {
    return relist;
  }

  /** Counts a new relist and returns its number. */
  int nextRelist() {
    return ++relist;
  }

  /** Sets the consumer of finished and deleted pods, which the core can forget. */
  public void whenDone(Consumer<PodState> forgetter) {
    done = forgetter;
  }

  /** Sets the consumer of pods whose timer fired; it runs after the pod's turn. */
  public void whenQuiet(Consumer<PodState> consumer) {
    quiet = consumer;
  }

  /** Sets the consumer of the names of nodes that have pulled an image. */
  public void whenPulled(Consumer<String> consumer) {
    pulled = consumer;
  }

  /** Stops driving the pod; it stays counted and keeps its resources on its node. */
  void rest(PodState pod) {
    pod.forget();
    environments.release(pod);
    wheel.cancel(pod);
  }

  /** Drives the pod again after its rest. */
  void woken(PodState pod) {
    pod.touch(relist);
    refer(pod);
    schedule(pod, Long.MAX_VALUE);
  }

  private void show(PodState pod) {
    if (!pod.dirty() || pod.life() == PodState.Life.RESTORING || pod.logReads().pending()) {
      return;
    }
    PodPhase before = pod.status().phase();
    pod.assembled(
        StatusAssembly.assemble(pod, options.hostIPs().apply(pod.node()), clock.instant()));
    if (pod.status().phase() == PodPhase.RUNNING && before != PodPhase.RUNNING) {
      meters.started(known(pod));
    }
    if (pod.status().phase().terminal()) {
      // schedulers no longer count the pod, and may bind another one while its sandbox is being
      // removed
      pod.release();
    }
    publish(pod);
  }

  /** Reports the pod if its status has changed. */
  public void publish(PodState pod) {
    boolean finished = pod.finished();
    PodReport before = pod.reported();
    boolean news =
        before == null || before.finished() != finished || !before.status().equals(pod.status());
    if (news && !pod.silenced() && !(options.fast() && passing(pod))) {
      report(pod);
    }
    if (finished) {
      pod.release();
      environments.release(pod);
      pod.containers().clear();
      if (pod.deleting()) {
        done.accept(pod);
      }
    }
  }

  /** Reports the pod again, changed or not. */
  public void report(PodState pod) {
    PodReport report = pod.report();
    pod.reporting(report);
    context.report(report);
  }

  /** Whether the state soon gives way to another one: the pod starts or ends without trouble. */
  private static boolean passing(PodState pod) {
    if (pod.finished()) {
      return false;
    }
    if (pod.ending()) {
      return !pod.termination().failed();
    }
    return pod.reported() == null
        && !containersReady(pod.status())
        && pod.sandbox().mounting() == null
        && !troubled(pod.regular())
        && !troubled(pod.init());
  }

  /** Ready containers without readiness gates count too: the gates' controllers wait for this. */
  private static boolean containersReady(PodStatusView status) {
    ConditionView ready = status.condition(OwnedStatus.CONTAINERS_READY);
    return ready != null && ready.status().equals("True");
  }

  private static boolean troubled(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.waiting() != null
          || slot.restartCount() > 0
          || (slot.end() != null && !slot.completed())) {
        return true;
      }
    }
    return false;
  }

  /** Ends all containers of a dead sandbox; it is made again if a container may still run. */
  void sandboxLost(PodState pod) {
    if (!pod.ending()) {
      events.normal(
          pod, PodEvents.SANDBOX_CHANGED, "Pod sandbox changed, it will be killed and re-created.");
    }
    pod.sandboxLost(clock.instant());
    drive(pod);
  }

  /** Returns how long the core has known the pod. */
  private Duration known(PodState pod) {
    return Duration.ofMillis(Math.max(0, clock.millis() - pod.seenAt()));
  }

  /** Counts a pod that its node has admitted. */
  public void letIn(PodState pod) {
    if (pod.life() == PodState.Life.SYNCING) {
      meters.letIn(known(pod));
    }
  }

  /** Watches the objects that a running pod refers to, until it is finished or forgotten. */
  public void refer(PodState pod) {
    if (pod.life() == PodState.Life.SYNCING) {
      environments.hold(pod);
    }
  }

  /** Sets a pod that its node rejects to Failed; none of its containers ever starts. */
  public void reject(PodState pod, Rejection rejection) {
    events.warning(pod, rejection.reason(), rejection.message());
    pod.finish(StatusAssembly.rejected(pod, rejection));
    wheel.cancel(pod);
    publish(pod);
  }

  /**
   * Ends a pod for the sake of others.
   *
   * @param grace at most; a pod that is ending already gets no more time from it
   */
  public void disrupt(PodState pod, Disruption why, Duration grace) {
    if (why.warns()) {
      events.warning(pod, why.reason(), why.message());
    }
    pod.disrupt(why);
    pod.end(grace.toMillis(), clock.millis());
    drive(pod);
  }

  /** Removes a finished pod that the runtime still turns out to have. */
  public void removeLate(PodState pod) {
    calls.undo(pod);
  }

  /** Forgets the pod. */
  public void forget(Held held) {
    if (held instanceof PodState pod) {
      forget(pod);
    } else {
      forget((RestingPod) held);
    }
  }

  private void forget(RestingPod pod) {
    PodMetricDelta.tell(meters, pod.share(), PodMetricDelta.NONE);
    NodeLedger ledger = pod.ledger();
    if (ledger != null) {
      ledger.remove(pod.view().spec().placement());
      ledger.freed();
    }
  }

  private void forget(PodState pod) {
    pod.forget();
    pod.count(meters);
    environments.release(pod);
    pod.release();
    wheel.cancel(pod);
  }

  public void close() {
    closed = true;
    calls.close();
    environments.stop();
    if (timerId >= 0) {
      loop.cancelTimer(timerId);
    }
  }
}
