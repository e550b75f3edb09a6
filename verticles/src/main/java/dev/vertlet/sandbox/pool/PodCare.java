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
 * Does what the rules say about each pod: one thing at a time, and looks again when the pod has
 * changed meanwhile. Reads what is known of pods, and tells what a write has brought; it does not
 * know claims. Confined to its loop.
 */
final class PodCare {
  private static final Logger LOG = LoggerFactory.getLogger(PodCare.class);

  private final PodBook book;
  private final ReadyLine ready;
  private final EndedIds ended;
  private final PodRules rules;
  private final PoolSize size;
  private final PodWrites writes;
  private final Clock clock;
  private final Runnable offered;
  private final Consumer<JsonNode> learned;

  /** UIDs of pods that something is being done about. */
  private final Set<String> busy = new HashSet<>();

  private boolean stopped;

  /**
   * @param offered called when one more pod is ready
   * @param learned called with each pod as a write has left it
   */
  PodCare(
      PodBook book,
      ReadyLine ready,
      EndedIds ended,
      PodRules rules,
      PoolSize size,
      PodWrites writes,
      Clock clock,
      Runnable offered,
      Consumer<JsonNode> learned) {
    this.book = book;
    this.ready = ready;
    this.ended = ended;
    this.rules = rules;
    this.size = size;
    this.writes = writes;
    this.clock = clock;
    this.offered = offered;
    this.learned = learned;
  }

  /** Does what is due for all pods: of what time alone changes, no watch tells. */
  void lookAtAll() {
    for (PodObject pod : List.copyOf(book.all())) {
      look(pod.uid());
    }
  }

  /** Does what is due for a pod, unless something is being done about it already. */
  void look(String uid) {
    Optional<PodObject> known = book.get(uid);
    if (known.isEmpty() || busy.contains(uid) || stopped) {
      return;
    }
    PodObject pod = known.get();
    PodStep step = rules.next(pod.tree(), clock.instant());
    if (step != PodStep.OFFER) {
      ready.remove(uid);
    }
    boolean unwanted =
        (ended.abandoned(book.sandbox(pod), clock.instant()) || book.isDuplicate(pod))
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

  /** Makes what is missing; of what is too many, those go that would be claimed last. */
  void resize() {
    int surplus = size.reconcile(book.all(), rules);
    if (surplus > 0) {
      for (String uid : ready.pollLast(surplus)) {
        book.get(uid).ifPresent(pod -> letGo(pod, true));
      }
    }
  }

  /** Somebody else does something about the pod until {@link #done}. */
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
    during(pod, () -> writes.letGo(pod, book.sandbox(pod), delete));
  }

  private void end(PodObject pod, Stop why) {
    during(pod, () -> release(pod, book.sandbox(pod), why, why.failureReason().isEmpty()));
  }

  /** As {@link PodWrites#release}, and remembers that the sandbox has ended. */
  Future<JsonNode> release(PodObject pod, String id, Stop why, boolean retry) {
    return writes
        .release(pod, id, why, retry)
        .onSuccess(
            live -> {
              ended.release(id, clock.instant());
              learned.accept(live);
            });
  }

  /** Does something about a pod, and looks at it again if it changed meanwhile. */
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
                  book.get(pod.uid())
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
          .log("a sandbox pod could not be written");
    }
  }

  /** Looks at no pod any more. */
  void stop() {
    stopped = true;
    ready.clear();
  }
}
