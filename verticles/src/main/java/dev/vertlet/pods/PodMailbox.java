package dev.vertlet.pods;

import dev.vertlet.model.ConditionView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the provider shall do about one pod. Holds only the newest state of the pod, so that
 * fifty updates in a burst become one; at most one operation is in flight. Pure but for its own
 * fields.
 *
 * <p>A deletion is never dropped and can only become more urgent. An operation that failed is tried
 * again for as long as the pod wants it, unless the provider said that it never can succeed.
 */
final class PodMailbox {
  /** What the verticle shall call. */
  sealed interface Operation {
    record Create(PodView pod) implements Operation {}

    record Update(PodView pod) implements Operation {}

    record Delete(PodView pod, Duration grace) implements Operation {}

    /** The API server holds the pod no longer. */
    record Kill(PodRef pod) implements Operation {}

    /** The pod is deleted and no provider has it: its API object may go. */
    record Finish(PodView pod) implements Operation {}

    /** Nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Operation {}

    /** Nothing before an event. */
    record Idle() implements Operation {}

    /** Nothing ever again: the pod is gone everywhere. */
    record Forget() implements Operation {}
  }

  /** Between the tries to end a pod, when whoever decides on retries has given up. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final Operation IDLE = new Operation.Idle();

  /** Of pods with one name, the one that people mean first. */
  static final Comparator<PodMailbox> BEST_KNOWN =
      Comparator.<PodMailbox, Boolean>comparing(m -> m.gone)
          .thenComparing(
              m -> m.pod.creationTimestamp(), Comparator.nullsLast(Comparator.reverseOrder()));

  /** By which name {@link PodIndex} has it. */
  private PodRef listedAs;

  private PodView pod;
  private boolean gone;

  /** A static pod that came back while its last life was being ended. */
  private @Nullable PodView successor;

  /** Whether any operation was ever called, so that the provider may hold something of the pod. */
  private boolean touched;

  private boolean created;

  /** The provider can never run this definition of the pod, or is asked no more to. */
  private boolean refused;

  /** What was handled last was not done: whoever decides on retries wants no more of them. */
  private boolean givenUp;

  /** The provider said that it does not know the pod. */
  private boolean unknown;

  private boolean finished;
  private boolean finishTold;
  private @Nullable Operation inFlight;

  /** Another agent serves the node, and the provider was told to forget the pod. */
  private boolean released;

  /** The operation in flight began before {@link #reset}: the provider may have forgotten it. */
  private boolean outdated;

  /** Somebody asked for another look while the operation was in flight. */
  private boolean enqueued;

  private long handledSpec;
  private int handledMetadata;
  private long handledGrace = Long.MAX_VALUE;
  private int failures;
  private long due;

  PodMailbox(PodView pod) {
    this.listedAs = pod.ref();
    this.pod = pod;
  }

  /** Its UID never changes; its name may, where one pod of a UID follows upon another. */
  PodRef ref() {
    return pod.ref();
  }

  PodRef listedAs() {
    return listedAs;
  }

  /** It is found by the name that it has now. */
  void listed() {
    listedAs = pod.ref();
  }

  PodView pod() {
    return pod;
  }

  /** Whether the provider holds nothing of the pod by what it was asked to do about it. */
  boolean untouched() {
    return !touched || (released && inFlight == null);
  }

  /** Whether nothing is left to do about it, nor ever will be. */
  boolean over() {
    return gone && successor == null && untouched();
  }

  /** Whether the provider has done all that is wanted, and the pod runs. */
  boolean settled() {
    return created
        && inFlight == null
        && !gone
        && !finished
        && pod.status().phase() == PodPhase.RUNNING
        && !pod.deleting()
        && handledSpec == pod.spec().hash()
        && handledMetadata == metadata(pod);
  }

  /** Whether the pod had ended before the provider was asked to do anything about it. */
  boolean endedBefore() {
    return !touched && !pod.deleting() && pod.status().phase().terminal();
  }

  /** The pod was to be deleted, and the provider is done with it. */
  boolean ended() {
    return pod.deleting() && (finished || finishTold);
  }

  /** What the mirror of a static pod remembers of it. */
  void remembered(PodStatusView status) {
    if (!gone) {
      pod = pod.withStatus(status);
    }
  }

  /** A newer state of a static pod, which itself has no status, with what is known of it. */
  PodView inThisLife(PodView newer) {
    return gone ? newer : newer.withStatus(pod.status());
  }

  /** A newer state of the pod, or, once it is gone, another pod of its UID. */
  void observed(PodView newer, long now) {
    if (gone && released) {
      gone = false; // it was not gone, but another agent's
    } else if (gone) {
      successor = newer;
      return;
    }
    if (newer.deleting() && !pod.deleting()) {
      failures = 0;
      due = now;
    }
    pod = newer.sharing(pod);
  }

  /** The API server holds the pod no longer. */
  void gone(long now) {
    gone = true;
    successor = null;
    due = now;
  }

  /** The provider reported that it is done with the pod. */
  void finished() {
    finished = true;
  }

  /**
   * Somebody knows that now is a good time: a retry waits no longer, one of an operation that is
   * still in flight will not, and what was given up is tried anew.
   *
   * @param now monotonic nanoseconds
   */
  void enqueued(long now) {
    enqueued = inFlight != null;
    due = now;
    if (givenUp) {
      givenUp = false;
      failures = 0;
      handledSpec = ~pod.spec().hash(); // of no spec that was handled
    }
  }

  /** Another agent serves the node, and the provider was told to forget the pod. */
  void released() {
    released = true;
  }

  /** After the node's lease was lost the provider forgot the pod: all starts anew. */
  void reset(long now) {
    created = false;
    refused = false;
    givenUp = false;
    unknown = false;
    finished = false;
    finishTold = false;
    handledGrace = Long.MAX_VALUE;
    failures = 0;
    due = now;
    outdated = inFlight != null;
  }

  /**
   * @param now monotonic nanoseconds
   */
  Operation next(long now) {
    if (inFlight != null) {
      return IDLE;
    }
    PodView next = successor;
    if (next != null && untouched()) {
      successor = null;
      gone = false;
      pod = next;
      reset(now);
    }
    Operation operation = decide();
    if (operation instanceof Operation.Idle || operation instanceof Operation.Forget) {
      return operation;
    }
    if (operation instanceof Operation.Finish) {
      finishTold = true;
      return operation;
    }
    if (failures > 0 && due - now > 0) {
      return new Operation.Wait(Duration.ofNanos(due - now));
    }
    inFlight = operation;
    touched = true;
    released = false;
    return operation;
  }

  private Operation decide() {
    if (gone) {
      return untouched() ? new Operation.Forget() : new Operation.Kill(ref());
    }
    if (pod.deleting()) {
      return delete(deletionGrace());
    }
    if (pod.status().phase().terminal()) {
      // ended by somebody else, for example the control plane: what still runs must end, too
      return touched ? delete(pod.spec().terminationGracePeriodSeconds()) : IDLE;
    }
    boolean sameSpec = handledSpec == pod.spec().hash();
    if (refused && sameSpec) {
      return IDLE;
    }
    if (!created) {
      return new Operation.Create(pod);
    }
    boolean changed = !sameSpec || handledMetadata != metadata(pod);
    return changed && !finished ? new Operation.Update(pod) : IDLE;
  }

  private Operation delete(long graceSeconds) {
    if (finished || finishTold) {
      return IDLE;
    }
    if (unknown) {
      return new Operation.Finish(pod);
    }
    long grace = Math.max(1, graceSeconds);
    return grace < handledGrace ? new Operation.Delete(pod, Duration.ofSeconds(grace)) : IDLE;
  }

  private long deletionGrace() {
    Long asked = pod.deletionGracePeriodSeconds();
    return asked == null ? pod.spec().terminationGracePeriodSeconds() : asked;
  }

  /**
   * What a provider must hear of beside the spec: labels, annotations, and what others say about
   * readiness gates.
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
    Operation done = take();
    failures = 0;
    if (!counts) {
      return;
    }
    if (done instanceof Operation.Create create) {
      created = true;
      refused = false;
      unknown = false;
      handled(create.pod());
    } else if (done instanceof Operation.Update update) {
      handled(update.pod());
    } else if (done instanceof Operation.Delete delete) {
      handledGrace = delete.grace().toSeconds();
    } else if (done instanceof Operation.Kill) {
      touched = false;
    }
  }

  /**
   * The operation in flight failed.
   *
   * @param now monotonic nanoseconds
   * @param retry the wait before the next try, by the number of tries that failed; may give up a
   *     create or an update, but never an end
   * @return the operation that failed
   */
  Operation failed(ProviderException.Kind kind, long now, IntFunction<Optional<Duration>> retry) {
    boolean again = enqueued;
    Operation failed = take();
    if (failed instanceof Operation.Delete && kind == ProviderException.Kind.NOT_FOUND) {
      unknown = true;
    } else if (failed instanceof Operation.Kill && kind == ProviderException.Kind.NOT_FOUND) {
      touched = false;
    } else if (failed instanceof Operation.Update && kind == ProviderException.Kind.NOT_FOUND) {
      created = false;
    } else if (failed instanceof Operation.Create create && permanent(kind)) {
      refused = true;
      handled(create.pod());
    } else if (failed instanceof Operation.Update update && permanent(kind)) {
      handled(update.pod());
    } else {
      failedForNow(failed, now, retry);
      if (again) {
        enqueued(now);
      }
      return failed;
    }
    failures = 0;
    return failed;
  }

  private void failedForNow(Operation failed, long now, IntFunction<Optional<Duration>> retry) {
    failures++;
    Optional<Duration> wait = retry.apply(failures);
    due = now + wait.orElse(LONGEST).toNanos();
    if (wait.isEmpty() && failed instanceof Operation.Create create) {
      refused = true;
      handled(create.pod());
      givenUp = true;
    } else if (wait.isEmpty() && failed instanceof Operation.Update update) {
      handled(update.pod());
      givenUp = true;
    }
  }

  private static boolean permanent(ProviderException.Kind kind) {
    return kind == ProviderException.Kind.INVALID || kind == ProviderException.Kind.UNSUPPORTED;
  }

  private void handled(PodView view) {
    handledSpec = view.spec().hash();
    handledMetadata = metadata(view);
    givenUp = false;
  }

  private Operation take() {
    Operation done = inFlight;
    if (done == null) {
      throw new IllegalStateException("no operation of pod " + ref().display() + " is in flight");
    }
    inFlight = null;
    outdated = false;
    enqueued = false;
    return done;
  }
}
