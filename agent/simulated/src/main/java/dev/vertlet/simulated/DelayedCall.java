package dev.vertlet.simulated;

import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/**
 * A call of the runtime that takes time: a pull, a hook, a resize or the creation of a sandbox. Its
 * pod and container may be gone before it ends.
 */
final class DelayedCall<T> extends Timed {
  private final long endsAt;
  private final Supplier<Future<T>> outcome;
  private final Promise<T> done = Promise.promise();

  /**
   * @param outcome called when the call ends
   */
  DelayedCall(long endsAt, Supplier<Future<T>> outcome) {
    this.endsAt = endsAt;
    this.outcome = outcome;
  }

  Future<T> result() {
    return done.future();
  }

  @Override
  long deadline() {
    return endsAt;
  }

  void finish() {
    outcome.get().onComplete(done);
  }

  /** Fails the call before it ends; the caller removes it from the queue. */
  void fail(String reason, String message) {
    done.fail(new ProviderException(ProviderException.Kind.TEMPORARY, reason, message));
  }
}
