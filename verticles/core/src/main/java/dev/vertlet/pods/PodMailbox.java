package dev.vertlet.pods;

import dev.vertlet.loop.FailedTries;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.ProviderException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next operation on one pod. Keeps only the newest version of the pod, so that fifty
 * updates in a burst become one; at most one operation is in flight. Pure except for its own
 * fields.
 *
 * <p>A deletion is never dropped and can only become more urgent. A failed operation is retried for
 * as long as the pod needs it, unless the provider has refused it permanently.
 */
final class PodMailbox {
  /** Delay between tries to end a pod after the retry policy has given up. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final PodOperation IDLE = new PodOperation.Idle();

  /** Of several pods with one name, the one that users mean comes first. */
  static final Comparator<PodMailbox> BEST_KNOWN =
      Comparator.<PodMailbox, Boolean>comparing(m -> m.gone)
          .thenComparing(
              m -> m.pod.creationTimestamp(), Comparator.nullsLast(Comparator.reverseOrder()));

  /** The name under which {@link PodIndex} has the pod. */
  private PodRef listedAs;

  private PodView pod;
  private boolean gone;

  /** A static pod that reappeared while its predecessor of the same UID was being ended. */
  private @Nullable PodView successor;

  /** Whether the provider was ever called for the pod, so that it may hold something of it. */
  private boolean touched;

  private boolean created;

  /**
   * The provider refuses this definition of the pod permanently, or the retry policy has given up.
   */
  private boolean refused;

  /** The last operation was given up: the retry policy permits no more tries. */
  private boolean givenUp;

  private PodTermination termination = PodTermination.NOT_BEGUN;
  private @Nullable PodOperation inFlight;

  /** Another agent serves the node, and the provider has forgotten the pod. */
  private boolean elsewhere;

  /** Index in the list of {@link NodePods}. */
  private int place;

  /** The operation in flight began before {@link #reset}: the provider may have forgotten it. */
  private boolean outdated;

  /** {@link #enqueued} was called while the operation was in flight. */
  private boolean enqueued;

  private long handledSpec;
  private int handledMetadata;

  /** When the operation in flight began. */
  private long began;

  /** Null while the next operation is the first try. */
  private @Nullable FailedTries tries;

  PodMailbox(PodView pod) {
    this.listedAs = pod.ref();
    this.pod = pod;
  }

  /** The UID never changes; the name may, if one pod of a UID succeeds another. */
  PodRef ref() {
    return pod.ref();
  }

  PodRef listedAs() {
    return listedAs;
  }

  /** {@link PodIndex} now has the pod under its current name. */
  void listed() {
    listedAs = pod.ref();
  }

  PodView pod() {
    return pod;
  }

  /** Whether the provider holds nothing of the pod, judging by the calls made so far. */
  boolean untouched() {
    return !touched || (elsewhere && inFlight == null);
  }

  /** Whether the pod is gone and needs no operation any more. */
  boolean over() {
    return gone && successor == null && untouched();
  }

  /** Whether the pod runs and the provider has done everything for it. */
  boolean settled() {
    return created
        && inFlight == null
        && !gone
        && !termination.finished()
        && pod.status().phase() == PodPhase.RUNNING
        && !pod.deleting()
        && handledSpec == pod.spec().hash()
        && handledMetadata == metadata(pod);
  }

  /** Whether the pod had ended before the provider was called for it. */
  boolean endedBefore() {
    return !touched && !pod.deleting() && pod.status().phase().terminal();
  }

  /** Whether the pod was to be deleted and the provider has finished with it. */
  boolean ended() {
    return pod.deleting() && termination.over();
  }

  /** Restores a static pod's status from its mirror pod. */
  void remembered(PodStatusView status) {
    if (!gone) {
      pod = pod.withStatus(status);
    }
  }

  /** Adds the known status to a newer version of a static pod, whose manifest has none. */
  PodView inThisLife(PodView newer) {
    return gone ? newer : newer.withStatus(pod.status());
  }

  /** Takes a newer version of the pod, or, once it is gone, another pod of its UID. */
  void observed(PodView newer) {
    if (gone && elsewhere) {
      gone = false; // it was not gone, but served by another agent
    } else if (gone) {
      successor = newer;
      return;
    }
    if (newer.deleting() && !pod.deleting()) {
      tries = null;
    }
    pod = newer.sharing(pod);
  }

  /** The API server no longer holds the pod. */
  void gone(long now) {
    gone = true;
    successor = null;
    retryAt(now);
  }

  private void retryAt(long time) {
    if (tries != null) {
      tries.due(time);
    }
  }

  /** The provider reported that it has finished with the pod. */
  void finished() {
    termination = termination.withFinished();
  }

  /**
   * Permits an immediate retry: a delayed retry runs now, a failure of the operation in flight will
   * be retried without delay, and an operation that was given up starts over.
   *
   * @param now monotonic nanoseconds
   */
  void enqueued(long now) {
    enqueued = inFlight != null;
    retryAt(now);
    if (givenUp) {
      givenUp = false;
      tries = null;
      handledSpec = ~pod.spec().hash(); // differs from the hash of the handled spec
    }
  }

  /** Another agent serves the node, and the provider has forgotten the pod. */
  void elsewhere() {
    elsewhere = true;
  }

  int place() {
    return place;
  }

  void place(int index) {
    place = index;
  }

  /** The provider forgot the pod when the node's lease was lost: starts over. */
  void reset() {
    created = false;
    refused = false;
    givenUp = false;
    termination = PodTermination.NOT_BEGUN;
    tries = null;
    outdated = inFlight != null;
  }

  /**
   * Returns the next operation; one that calls the provider is in flight from now on.
   *
   * @param now monotonic nanoseconds
   */
  PodOperation next(long now) {
    if (inFlight != null) {
      return IDLE;
    }
    PodView next = successor;
    if (next != null && untouched()) {
      successor = null;
      gone = false;
      pod = next;
      reset();
    }
    PodOperation operation = decide();
    if (operation instanceof PodOperation.Idle || operation instanceof PodOperation.Forget) {
      return operation;
    }
    if (operation instanceof PodOperation.Finish) {
      termination = termination.withFinishTold();
      return operation;
    }
    Duration wait = tries == null ? Duration.ZERO : tries.left(now);
    if (wait.compareTo(Duration.ZERO) > 0) {
      return new PodOperation.Wait(wait);
    }
    inFlight = operation;
    began = now;
    touched = true;
    elsewhere = false;
    return operation;
  }

  private PodOperation decide() {
    if (gone) {
      return untouched() ? new PodOperation.Forget() : new PodOperation.Kill(ref());
    }
    if (pod.deleting()) {
      return termination.next(pod, deletionGrace());
    }
    if (pod.status().phase().terminal()) {
      // ended by another party, for example the control plane: the running containers must end, too
      return touched ? termination.next(pod, pod.spec().terminationGracePeriodSeconds()) : IDLE;
    }
    boolean sameSpec = handledSpec == pod.spec().hash();
    if (refused && sameSpec) {
      return IDLE;
    }
    if (!created) {
      return new PodOperation.Create(pod);
    }
    boolean changed = !sameSpec || handledMetadata != metadata(pod);
    return changed && !termination.finished() ? new PodOperation.Update(pod) : IDLE;
  }

  private long deletionGrace() {
    Long asked = pod.deletionGracePeriodSeconds();
    return asked == null ? pod.spec().terminationGracePeriodSeconds() : asked;
  }

  /**
   * Hash of all other causes of an update: labels, annotations, and the conditions of readiness
   * gates.
   */
  private static int metadata(PodView pod) {
    int hash = 31 * pod.labels().hashCode() + pod.annotations().hashCode();
    for (String gate : pod.spec().readinessGates()) {
      ConditionView condition = pod.status().condition(gate);
      hash = 31 * hash + (condition == null ? 0 : condition.status().hashCode());
    }
    return hash;
  }

  /** The operation in flight succeeded. */
  void succeeded() {
    boolean counts = !outdated;
    PodOperation done = take();
    tries = null;
    if (!counts) {
      return;
    }
    if (done instanceof PodOperation.Create create) {
      created = true;
      refused = false;
      termination = termination.withUnknown(false);
      handled(create.pod());
    } else if (done instanceof PodOperation.Update update) {
      handled(update.pod());
    } else if (done instanceof PodOperation.Delete delete) {
      termination = termination.withGrace(delete.grace().toSeconds());
    } else if (done instanceof PodOperation.Kill) {
      touched = false;
    }
  }

  /**
   * The operation in flight failed.
   *
   * @param now monotonic nanoseconds
   * @param retry returns the delay before the next try; may give up a create or an update, but
   *     never the end of a pod
   * @return the failed operation
   */
  PodOperation failed(ProviderException.Kind kind, long now, FailedTries.Retry retry) {
    boolean again = enqueued;
    PodOperation failed = take();
    if (failed instanceof PodOperation.Delete && kind == ProviderException.Kind.NOT_FOUND) {
      termination = termination.withUnknown(true);
    } else if (failed instanceof PodOperation.Kill && kind == ProviderException.Kind.NOT_FOUND) {
      touched = false;
    } else if (failed instanceof PodOperation.Update && kind == ProviderException.Kind.NOT_FOUND) {
      created = false;
    } else if (failed instanceof PodOperation.Create create && ProviderOutcome.permanent(kind)) {
      refused = true;
      handled(create.pod());
    } else if (failed instanceof PodOperation.Update update && ProviderOutcome.permanent(kind)) {
      handled(update.pod());
    } else {
      failedForNow(failed, now, retry);
      if (again) {
        enqueued(now);
      }
      return failed;
    }
    tries = null;
    return failed;
  }

  private void failedForNow(PodOperation failed, long now, FailedTries.Retry retry) {
    FailedTries all = tries == null ? new FailedTries(began) : tries;
    tries = all;
    Optional<Duration> wait = retry.next(all.failed(), all.elapsed(now));
    all.due(now + wait.orElse(LONGEST).toNanos());
    if (wait.isEmpty() && failed instanceof PodOperation.Create create) {
      refused = true;
      handled(create.pod());
      givenUp = true;
    } else if (wait.isEmpty() && failed instanceof PodOperation.Update update) {
      handled(update.pod());
      givenUp = true;
    }
  }

  private void handled(PodView view) {
    handledSpec = view.spec().hash();
    handledMetadata = metadata(view);
    givenUp = false;
  }

  private PodOperation take() {
    PodOperation done = inFlight;
    if (done == null) {
      throw new IllegalStateException("no operation of pod " + ref().display() + " is in flight");
    }
    inFlight = null;
    outdated = false;
    enqueued = false;
    return done;
  }
}
