package dev.vertlet.cri;

import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.wire.GrpcChannel;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusRequest;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Map;

/** Removes the pods of a test. */
final class Leftovers {
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
          Sandboxes sandboxes = new Sandboxes(runtime);
          sandboxes
              .list(Map.of())
              .compose(
                  all ->
                      Future.join(
                          all.stream()
                              .map(
                                  sandbox ->
                                      runtime
                                          .podSandboxStatus(
                                              new PodSandboxStatusRequest(sandbox.id(), true))
                                          .compose(
                                              status ->
                                                  status.info().toString().contains(logs.toString())
                                                      ? sandboxes.remove(sandbox.id())
                                                      : Future.succeededFuture()))
                              .toList()))
              .<Void>mapEmpty()
              .eventually(channel::close)
              .onComplete(removed);
        });
    Waits.get(removed.future());
  }
}
