package dev.vertlet.status;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.Recovery;
import dev.vertlet.loop.FailedTries;
import dev.vertlet.model.status.PodStatusView;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the failed requests of one pod leave for the next one: a status that is disputed with the
 * server, and when to try again. {@link #NONE} while no request has failed, so that pods without
 * failures share it.
 *
 * @param unsure a status whose write was not answered, so that the server may hold it or not.
 *     Writing it again is safe; a different status requires a read first
 * @param refused a status that the server rejected as invalid; not sent again once a read has shown
 *     that the object is still this pod
 * @param refusal the rejection, until it is logged
 * @param mustRead the object has to be read before the next write
 * @param givenUp the retry policy has given up the next request
 * @param endsWithReturn the wait for the next try ends when the server works again
 * @param tries null while the next request is the first try
 */
record FailedWrites(
    @Nullable PodStatusView unsure,
    @Nullable PodStatusView refused,
    @Nullable KubeException refusal,
    boolean mustRead,
    boolean givenUp,
    boolean endsWithReturn,
    @Nullable FailedTries tries) {
  static final FailedWrites NONE = new FailedWrites(null, null, null, false, false, false, null);

  /** Failures after which the write may nevertheless have happened. */
  private static final Set<KubeException.Kind> UNSURE =
      EnumSet.of(
          KubeException.Kind.SERVER_ERROR,
          KubeException.Kind.TRANSPORT,
          KubeException.Kind.TIMEOUT,
          KubeException.Kind.DECODE);

  /** Decides about the next try; empty to give up. */
  @FunctionalInterface
  interface Retry {
    Optional<Duration> next(int failures, Duration elapsed);
  }

  /** Whether the server may hold, or has rejected, another status than the known one. */
  boolean disputes() {
    return unsure != null || refused != null;
  }

  /** Whether the next request tries a failed one again. */
  boolean isRetry() {
    return tries != null;
  }

  /** Returns the time until the next request; zero or negative if it is due. */
  Duration left(long now) {
    return tries == null ? Duration.ZERO : tries.left(now);
  }

  /** Whether the server has rejected this status. */
  boolean refuse(@Nullable PodStatusView status) {
    return status != null && status == refused;
  }

  /** Whether the object has to be read before this status is written. */
  boolean requireReadBefore(@Nullable PodStatusView wanted) {
    return mustRead || (unsure != null && wanted != null && wanted != unsure);
  }

  /** Permits a retry from this time on. */
  void due(long time) {
    if (tries != null) {
      tries.due(time);
    }
  }

  /** Ends a wait that lasts until the server works again; returns whether there was one. */
  boolean serverReturned(long now) {
    if (endsWithReturn) {
      due(now);
    }
    return endsWithReturn;
  }

  /** Makes a request again that was given up, with all its tries. */
  FailedWrites startedOver() {
    return givenUp
        ? new FailedWrites(unsure, refused, refusal, mustRead, false, false, null)
        : this;
  }

  /** Forgets what concerns a status that is not wanted any more. */
  FailedWrites wiped() {
    return mustRead ? new FailedWrites(null, null, null, true, false, false, null) : NONE;
  }

  /** The object was read, and is still this pod. */
  FailedWrites reread() {
    return this == NONE
        ? this
        : new FailedWrites(null, refused, null, false, givenUp, endsWithReturn, tries);
  }

  /** A write succeeded, or the object is gone. */
  FailedWrites answered() {
    return refused == null && !givenUp
        ? NONE
        : new FailedWrites(null, refused, refusal, false, givenUp, false, null);
  }

  /**
   * A request has failed.
   *
   * @param writing the status that it was to write; null for another request
   * @param began when the request was made, monotonic nanoseconds
   * @param now monotonic nanoseconds
   */
  FailedWrites failed(
      KubeException failure, @Nullable PodStatusView writing, long began, long now, Retry retry) {
    FailedTries all = tries == null ? new FailedTries(began) : tries;
    Optional<Duration> wait = retry.next(all.failed(), all.elapsed(now));
    all.due(now + wait.orElse(Duration.ZERO).toNanos());
    boolean unanswered = writing != null && UNSURE.contains(failure.kind());
    // a server also answers 422 if the object is another pod by now (metadata.uid is immutable)
    boolean invalid = failure.recovery() == Recovery.GIVE_UP;
    boolean read =
        switch (failure.recovery()) {
          case REREAD, RELIST, GIVE_UP -> true;
          case RETRY, REAUTHENTICATE, AUTHORIZE -> mustRead;
        };
    return new FailedWrites(
        unanswered ? writing : unsure,
        invalid ? writing : refused,
        invalid ? (writing == null ? null : failure) : refusal,
        read,
        wait.isEmpty(),
        failure.endsWithReturn(),
        all);
  }
}
