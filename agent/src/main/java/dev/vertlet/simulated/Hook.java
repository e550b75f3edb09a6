package dev.vertlet.simulated;

import dev.vertlet.provider.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A running lifecycle hook. Its container may be gone before the hook ends. */
final class Hook extends Timed {
  private final boolean fails;
  private final long endsAt;
  private final Promise<Void> done = Promise.promise();

  Hook(boolean fails, long endsAt) {
    this.fails = fails;
    this.endsAt = endsAt;
  }

  Future<Void> result() {
    return done.future();
  }

  @Override
  long deadline() {
    return endsAt;
  }

  void finish() {
    if (fails) {
      fail("HookFailed", "command exited with 1");
    } else {
      done.complete();
    }
  }

  void abort() {
    fail("RuntimeStopped", "the runtime was stopped");
  }

  private void fail(String reason, String message) {
    done.fail(new ProviderException(ProviderException.Kind.TEMPORARY, reason, message));
  }
}
