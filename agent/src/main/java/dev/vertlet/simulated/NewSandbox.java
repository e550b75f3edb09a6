package dev.vertlet.simulated;

import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.SandboxRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A sandbox whose creation takes time or never completes. */
final class NewSandbox extends Timed {
  final PodView pod;
  final int attempt;
  private final long endsAt;
  private final Promise<SandboxRecord> done = Promise.promise();

  NewSandbox(PodView pod, int attempt, long endsAt) {
    this.pod = pod;
    this.attempt = attempt;
    this.endsAt = endsAt;
  }

  Future<SandboxRecord> result() {
    return done.future();
  }

  @Override
  long deadline() {
    return endsAt;
  }

  void made(SandboxRecord sandbox) {
    done.complete(sandbox);
  }

  void failed(ProviderException failure) {
    done.fail(failure);
  }

  /** Fails the creation. */
  void abort(String reason, String message) {
    failed(
        new ProviderException(
            ProviderException.Kind.TEMPORARY,
            reason,
            "sandbox of pod " + pod.ref().display() + ": " + message));
  }
}
