package dev.vertlet.simulated;

import dev.vertlet.provider.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** A running image pull. It ends on its own; the pod that started it may be gone by then. */
final class Pull extends Timed {
  private final SimulatedNode node;
  private final String image;
  private final @Nullable String error;
  private final long endsAt;
  private final Promise<String> done = Promise.promise();

  /**
   * @param error failure of the pull; null for none
   */
  Pull(SimulatedNode node, String image, @Nullable String error, long endsAt) {
    this.node = node;
    this.image = image;
    this.error = error;
    this.endsAt = endsAt;
  }

  /** Completes with the image's ID. */
  Future<String> result() {
    return done.future();
  }

  @Override
  long deadline() {
    return endsAt;
  }

  void finish() {
    if (error == null) {
      done.complete(node.images().add(image));
    } else {
      fail("ErrImagePull", error);
    }
  }

  void abort() {
    fail("RuntimeStopped", "the runtime was stopped");
  }

  private void fail(String reason, String message) {
    done.fail(new ProviderException(ProviderException.Kind.TEMPORARY, reason, message));
  }
}
