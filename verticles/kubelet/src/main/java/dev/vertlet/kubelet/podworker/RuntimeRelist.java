package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.RuntimePod;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the runtime's whole state with the core's periodically, as events may be missed. Leaves
 * pods that changed during the list for the next relist. Collects dead containers from the same
 * list.
 */
public final class RuntimeRelist {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeRelist.class);

  /** Pods compared in one turn, some 0.1 ms of the loop's time. */
  private static final int SLICE = 200;

  private final ContainerRuntime runtime;
  private final CoreLoop loop;
  private final Clock clock;
  private final PodDriver driver;
  private final PodStates pods;
  private final Consumer<RuntimePod> unknown;
  private final DeadContainers dead;
  private final CoreMeters meters;
  private final long periodMillis;
  private long timerId = -1;
  private boolean closed;

  /** Time of the last successful list; before that, the time of the first start. */
  private Instant listedAt = Instant.MAX;

  /** Time of the last request for a list; null before the first. */
  private @Nullable Instant askedAt;

  /**
   * @param unknown takes each pod that the runtime has and the core does not know
   */
  public RuntimeRelist(
      CoreEnv env,
      PodDriver driver,
      PodStates pods,
      Consumer<RuntimePod> unknown,
      long periodMillis) {
    this.runtime = env.runtime();
    this.loop = env.loop();
    this.clock = env.clock();
    this.meters = env.meters();
    this.driver = driver;
    this.pods = pods;
    this.unknown = unknown;
    this.dead = new DeadContainers(env);
    this.periodMillis = periodMillis;
  }

  public void start() {
    if (listedAt.equals(Instant.MAX)) {
      listedAt = clock.instant();
    }
    timerId = loop.setTimer(periodMillis, this::relist);
  }

  /** Returns the time since the runtime's last successful list. */
  public Duration silence() {
    return between(listedAt, clock.instant());
  }

  /** Zero if the clock was set back. */
  private static Duration between(Instant from, Instant to) {
    return from.isAfter(to) ? Duration.ZERO : Duration.between(from, to);
  }

  public void close() {
    closed = true;
    loop.cancelTimer(timerId);
  }

  /** Lists the runtime. A list that hangs is dropped as out of date when the next is due. */
  private void relist() {
    if (closed) {
      return;
    }
    int round = driver.nextRelist();
    start();
    Instant now = clock.instant();
    if (askedAt != null) {
      meters.relisting(between(askedAt, now));
    }
    askedAt = now;
    meters
        .measure(RuntimeOperation.LIST_SANDBOXES, runtime::list)
        .onComplete(
            answer ->
                loop.run(
                    () -> {
                      if (closed || round != driver.relist()) {
                        return;
                      }
                      if (answer.succeeded()) {
                        listedAt = clock.instant();
                        compareFound(new ArrayDeque<>(answer.result()), round);
                      } else {
                        LOG.atWarn()
                            .addKeyValue("error", answer.cause().getMessage())
                            .log("Runtime not listed");
                      }
                    }));
  }

  private void compareFound(Queue<RuntimePod> found, int round) {
    for (int i = 0; i < SLICE && !found.isEmpty(); i++) {
      RuntimePod listed = found.remove();
      // a resting pod is listed only after its state in the runtime has changed, so get wakes it
      PodState pod = pods.get(listed.pod().uid());
      if (pod == null) {
        unknown.accept(listed);
        continue;
      }
      pod.listed(round);
      dead.collect(listed, pod.containers().count());
      if (settled(pod, round)) {
        compare(pod, listed);
      }
    }
    if (!found.isEmpty()) {
      loop.later(() -> compareFound(found, round));
    } else {
      loop.later(() -> compareMissing(new ArrayDeque<>(pods.awake().toList()), round));
    }
  }

  private void compareMissing(Queue<PodState> known, int round) {
    for (int i = 0; i < SLICE && !known.isEmpty(); i++) {
      PodState pod = known.remove();
      if (!pod.listedIn(round) && pod.sandbox().exists() && settled(pod, round)) {
        driver.sandboxLost(pod);
      }
    }
    if (closed) {
      return;
    }
    if (!known.isEmpty()) {
      loop.later(() -> compareMissing(known, round));
    } else if (round == driver.relist() && askedAt != null) {
      meters.relisted(between(askedAt, clock.instant()));
    }
  }

  /** Whether the pod is unchanged since the request for the list, with nothing under way. */
  private static boolean settled(PodState pod, int round) {
    boolean quiet = pod.life() == PodState.Life.SYNCING || pod.life() == PodState.Life.ENDING;
    return quiet && !pod.touchedIn(round) && !pod.forgotten();
  }

  private void compare(PodState pod, RuntimePod listed) {
    if (listed.sandbox() == null && pod.sandbox().exists()) {
      driver.sandboxLost(pod);
      return;
    }
    boolean changed = false;
    if (!pod.sandbox().exists() && listed.sandbox() != null) {
      // the answer to runSandbox never came
      pod.sandbox(pod.sandbox().made(listed.sandbox()));
      changed = true;
    }
    for (ContainerRecord record : listed.containers()) {
      changed |= pod.observe(record);
    }
    List<ContainerRecord> containers = listed.containers();
    changed |= vanish(pod.init(), containers);
    changed |= vanish(pod.regular(), containers);
    changed |= vanish(pod.ephemeral(), containers);
    if (changed) {
      pod.changed();
      driver.drive(pod);
    }
  }

  private boolean vanish(ContainerSlot[] slots, Collection<ContainerRecord> containers) {
    boolean changed = false;
    for (ContainerSlot slot : slots) {
      ContainerRecord known = slot.current();
      if (known != null && known.running() && !holds(containers, known.id())) {
        slot.vanished(clock.instant());
        changed = true;
      }
    }
    return changed;
  }

  private static boolean holds(Collection<ContainerRecord> containers, String id) {
    for (ContainerRecord record : containers) {
      if (record.id().equals(id)) {
        return true;
      }
    }
    return false;
  }
}
