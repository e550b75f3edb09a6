package dev.vertlet.simulated;

import dev.vertlet.provider.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running resize. Its container may be gone before it ends. */
final class Resize extends Timed {
  private final Supplier<@Nullable String> refusal;
  private final long endsAt;
  private final Promise<Void> done = Promise.promise();

  /**
   * @param refusal called when the resize is due; returns why it fails, or null
   */
  Resize(Supplier<@Nullable String> refusal, long endsAt) {
    this.refusal = refusal;
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
    String why = refusal.get();
    if (why == null) {
      done.complete();
    } else {
      fail("ResizeError", why);
    }
  }

  void abort() {
    fail("RuntimeStopped", "the runtime was stopped");
  }

  private void fail(String reason, String message) {
    done.fail(new ProviderException(ProviderException.Kind.TEMPORARY, reason, message));
  }
}
