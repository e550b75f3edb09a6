package dev.vertlet.cri;

import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.wire.GrpcChannel;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Removes the pods of a test. */
final class Leftovers {
  /** All pods of a test are removed at once, which takes longer than a call. */
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  /**
   * Longer than a sandbox takes to stop. containerd 2.4 never ends a container whose attached
   * client was cut off at a bad moment: its SPDY library waits for an answer of the closed
   * connection. Such a container ends with the runtime, and so does one of a machine that is too
   * busy.
   */
  private static final Duration STUCK = Duration.ofSeconds(10);

  private Leftovers() {}

  /**
   * Removes all sandboxes whose logs are below a directory.
   *
   * @param logs directory of the test's logs
   */
  static void remove(Vertx vertx, Path socket, Path logs) {
    Promise<Void> removed = Promise.promise();
    vertx.runOnContext(
        v -> {
          GrpcChannel channel = new GrpcChannel(vertx, socket);
          RuntimeService runtime = new RuntimeService(channel, channel);
          remove(runtime, new Sandboxes(runtime), logs)
              .eventually(channel::close)
              .onComplete(removed);
        });
    try {
      removed.future().await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("pods of tests are left in the container runtime", e);
    }
  }

  private static Future<Void> remove(RuntimeService runtime, Sandboxes sandboxes, Path logs) {
    return sandboxes
        .list(Map.of())
        .compose(
            all ->
                Future.join(
                    all.stream()
                        .map(sandbox -> remove(runtime, sandboxes, sandbox.id(), logs))
                        .toList()))
        .mapEmpty();
  }

  private static Future<Void> remove(
      RuntimeService runtime, Sandboxes sandboxes, String id, Path logs) {
    return runtime
        .podSandboxStatus(new PodSandboxStatusRequest(id, true))
        .compose(
            status ->
                status.info().toString().contains(logs.toString())
                    ? sandboxes
                        .remove(id)
                        .timeout(STUCK.toSeconds(), TimeUnit.SECONDS)
                        .<Void>mapEmpty()
                        .recover(
                            failure -> {
                              if (failure instanceof TimeoutException) {
                                System.out.println("Sandbox " + id + " is left: " + failure);
                                return Future.succeededFuture();
                              }
                              return Future.failedFuture(failure);
                            })
                    : Future.succeededFuture());
  }
}
