package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the step that the rules require for each pod: one at a time per pod, and again if the
 * pod has changed meanwhile. Reports pods after writes; independent of claims. Confined to its
 * loop.
 */
final class PodCare {
  private static final Logger LOG = LoggerFactory.getLogger(PodCare.class);

  private final PoolPods pods;
  private final ReadyLine ready;
  private final EndedIds ended;
  private final PodRules rules;
  private final PoolSize size;
  private final PodWrites writes;
  private final Clock clock;
  private final Runnable offered;
  private final Consumer<JsonNode> learned;

  /** UIDs of pods with a step in progress. */
  private final Set<String> busy = new HashSet<>();

  private boolean stopped;

  /**
   * Creates the care of a pool's pods.
   *
   * @param offered called when one more pod is ready
   * @param learned called with each pod as a write returned it
   */
  PodCare(
      PoolPods pods,
      ReadyLine ready,
      EndedIds ended,
      PodRules rules,
      PoolSize size,
      PodWrites writes,
      Clock clock,
      Runnable offered,
      Consumer<JsonNode> learned) {
    this.pods = pods;
    this.ready = ready;
    this.ended = ended;
    this.rules = rules;
    this.size = size;
    this.writes = writes;
    this.clock = clock;
    this.offered = offered;
    this.learned = learned;
  }

  /** Performs the due steps of all pods: the watch does not report changes by time alone. */
  void lookAtAll() {
    for (PodObject pod : List.copyOf(pods.all())) {
      look(pod.uid());
    }
  }

  /** Performs the due step of a pod, unless one is in progress. */
  void look(String uid) {
    Optional<PodObject> known = pods.get(uid);
    if (known.isEmpty() || busy.contains(uid) || stopped) {
      return;
    }
    PodObject pod = known.get();
    PodStep step = rules.next(pod.tree(), clock.instant());
    if (step != PodStep.OFFER) {
      ready.remove(uid);
    }
    boolean unwanted =
        (ended.abandoned(pods.sandbox(pod), clock.instant()) || pods.isDuplicate(pod))
            && rules.isServing(pod.tree());
    switch (unwanted ? PodStep.GIVE_UP : step) {
      case NOTHING -> {}
      case OFFER -> {
        if (ready.add(pod, clock.instant())) {
          offered.run();
        }
      }
      case LOOK -> during(pod, () -> complete(pod));
      case GIVE_UP -> end(pod, unwanted ? Stop.CANCELED : Stop.STARTUP_TIMEOUT);
      case END_UNUSED -> end(pod, Stop.IDLE_TIMEOUT);
      case END_RESTARTED -> end(pod, writes.failure(pod.tree()));
      case REMOVE -> letGo(pod, true);
      case RENEW -> {
        if (size.mayRenew(busy.size())) {
          letGo(pod, true);
        }
      }
      case LET_GO -> letGo(pod, false);
    }
  }

  /**
   * Creates missing pods; removes surplus ones, beginning with those that would be claimed last.
   */
  void resize() {
    int surplus = size.reconcile(pods.all(), rules);
    if (surplus > 0) {
      for (String uid : ready.pollLast(surplus)) {
        pods.get(uid).ifPresent(pod -> letGo(pod, true));
      }
    }
  }

  /** Suspends the care of a pod until {@link #done}. */
  void begin(String uid) {
    busy.add(uid);
  }

  void done(String uid) {
    busy.remove(uid);
  }

  private Future<?> complete(PodObject pod) {
    return writes.complete(pod).onSuccess(live -> live.ifPresent(learned));
  }

  private void letGo(PodObject pod, boolean delete) {
    during(pod, () -> writes.letGo(pod, pods.sandbox(pod), delete));
  }

  private void end(PodObject pod, Stop why) {
    during(pod, () -> release(pod, pods.sandbox(pod), why, why.failureReason().isEmpty()));
  }

  /** Releases a pod as {@link PodWrites#release} does, and records the end of its sandbox. */
  Future<JsonNode> release(PodObject pod, String id, Stop why, boolean retry) {
    return writes
        .release(pod, id, why, retry)
        .onSuccess(
            live -> {
              ended.release(id, clock.instant());
              learned.accept(live);
            });
  }

  /** Performs a step, then looks at the pod again if it has changed. */
  private void during(PodObject pod, Supplier<Future<?>> work) {
    begin(pod.uid());
    work.get()
        .onComplete(
            over -> {
              done(pod.uid());
              if (over.failed()) {
                report(pod, over.cause());
              }
              boolean changed =
                  pods.get(pod.uid())
                      .map(now -> now.resourceVersion() != pod.resourceVersion())
                      .orElse(false);
              if (changed) {
                look(pod.uid());
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
          .log("sandbox pod cannot be written");
    }
  }

  /** Ends the care of all pods. */
  void stop() {
    stopped = true;
    ready.clear();
  }
}
