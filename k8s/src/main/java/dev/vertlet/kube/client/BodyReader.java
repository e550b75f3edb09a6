package dev.vertlet.kube.client;

import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.Verb;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Passes the body of one answer on and completes at its end. Confined to the client's context.
 *
 * @param limit from the request to the last byte
 */
record BodyReader(KubePath path, Duration limit, Consumer<Buffer> bytes, Promise<Void> done)
    implements WatchCall.Receiver {
  /** Limits the time of the whole answer: the call limits only that until its head. */
  void begin(Vertx vertx, WatchCall call) {
    long timer =
        vertx.setTimer(
            Math.max(1, limit.toMillis()),
            id -> call.fail(Failures.timeout(Verb.GET, path, limit)));
    done.future().onComplete(over -> vertx.cancelTimer(timer));
  }

  @Override
  public void opened(String contentType) {
    // the caller knows what it asked for
  }

  @Override
  public void received(Buffer part) {
    bytes.accept(part);
  }

  @Override
  public void ended() {
    done.tryComplete();
  }

  @Override
  public void failed(KubeException failure) {
    done.tryFail(failure);
  }
}
