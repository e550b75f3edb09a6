package dev.vertlet.api.route;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.PodStreams.StreamKind;
import dev.vertlet.streaming.RemoteCommands;
import dev.vertlet.streaming.StreamsAsked;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VertxException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Serves {@code /exec}, {@code /attach} and {@code /run}: commands in containers. */
final class CommandRoutes {
  private final PodLookup pods;
  private final ServedNodes providers;
  private final RemoteCommands commands;
  private final AtomicInteger room = CollectedOutput.room();

  CommandRoutes(PodLookup pods, ServedNodes providers, RemoteCommands commands) {
    this.pods = pods;
    this.providers = providers;
    this.commands = commands;
  }

  Future<Void> exec(ApiCall call) {
    List<String> command = call.request().params().getAll("command");
    return session(
        call,
        StreamKind.EXEC,
        (target, asked) ->
            io ->
                providers
                    .call(
                        target.node(),
                        provider ->
                            provider
                                .streams()
                                .exec(new ExecRequest(target, command, asked.tty()), io))
                    .recover(failure -> failed("error executing command in container", failure)));
  }

  Future<Void> attach(ApiCall call) {
    return session(
        call,
        StreamKind.ATTACH,
        (target, asked) ->
            io ->
                providers
                    .call(
                        target.node(),
                        provider -> provider.streams().attach(target, asked.tty(), io))
                    // an attach session has no exit code, so it ends with 0
                    .map(0)
                    .recover(failure -> failed("error attaching to container", failure)));
  }

  /** Words a failure as kubelets do on the error stream. */
  private static Future<Integer> failed(String what, Throwable failure) {
    return Future.failedFuture(
        VertxException.noStackTrace(what + ": " + HttpFailure.of(failure).text()));
  }

  /** Starts a command once the client's streams are open. */
  private interface Begin {
    Function<ContainerIo, Future<Integer>> of(ContainerTarget target, StreamsAsked asked);
  }

  private Future<Void> session(ApiCall call, StreamKind kind, Begin begin) {
    StreamsAsked asked = asked(call.request().params());
    if (!asked.stdin() && !asked.stdout() && !asked.stderr()) {
      return Future.failedFuture(
          new HttpFailure(400, "you must specify at least 1 of stdin, stdout, stderr"));
    }
    return found(call, kind)
        .compose(
            found -> {
              ContainerTarget target = found.target();
              // the running process has a terminal or none, regardless of the client
              StreamsAsked served = kind == StreamKind.ATTACH ? asked.of(found.tty()) : asked;
              return check(kind, target)
                  .compose(v -> commands.serve(call.request(), served, begin.of(target, served)));
            });
  }

  /**
   * Reads the requested streams from a kubelet's parameter names, or from those of virtual-kubelet
   * and older kubelets.
   */
  private static StreamsAsked asked(MultiMap query) {
    return new StreamsAsked(
        flag(query, "input") || flag(query, "stdin"),
        flag(query, "output") || flag(query, "stdout"),
        flag(query, "error") || flag(query, "stderr"),
        flag(query, "tty"));
  }

  private static boolean flag(MultiMap query, String key) {
    String value = query.get(key);
    return "1".equals(value) || "true".equals(value);
  }

  private Future<Void> check(StreamKind kind, ContainerTarget target) {
    return providers.ask(target.node(), provider -> provider.streams().check(kind, target));
  }

  /**
   * The container of a request.
   *
   * @param tty whether it has a terminal
   */
  private record Found(ContainerTarget target, boolean tty) {}

  private Future<Found> found(ApiCall call, StreamKind kind) {
    Route route = call.route();
    return pods.find(call.node(), route.namespace(), route.pod(), route.uid())
        .compose(pod -> found(pod, route.container(), kind));
  }

  private static Future<Found> found(PodView pod, String container, StreamKind kind) {
    ContainerView view = pod.spec().container(container);
    if (view != null) {
      ContainerTarget target = new ContainerTarget(pod.ref(), pod.nodeName(), container, "");
      return Future.succeededFuture(new Found(target, view.tty()));
    }
    return Future.failedFuture(
        new HttpFailure(
            404,
            kind == StreamKind.ATTACH
                ? "container %s not found in pod %s_%s"
                    .formatted(container, pod.name(), pod.namespace())
                : "container not found (\"" + container + "\")"));
  }

  /** Runs a command and sends its whole output; 500 in a kubelet's words when it fails. */
  Future<Void> run(ApiCall call) {
    String text = call.request().params().get("cmd");
    List<String> command = List.of((text == null ? "" : text).split(" ", -1));
    CollectedOutput output = new CollectedOutput(room, call.gone());
    // a connection that is not read does not notice that its client has gone
    call.request().resume();
    return found(call, StreamKind.EXEC)
        .map(Found::target)
        .compose(
            target ->
                ServedNodes.whileThere(
                    call.gone(),
                    () ->
                        providers.call(
                            target.node(),
                            provider ->
                                provider
                                    .streams()
                                    .exec(new ExecRequest(target, command, false), output))))
        .compose(code -> finished(call, command, code, output))
        .eventually(
            () -> {
              output.release();
              return Future.succeededFuture();
            });
  }

  private static Future<Void> finished(
      ApiCall call, List<String> command, int code, CollectedOutput output) {
    if (output.refused()) {
      return Future.failedFuture(
          new HttpFailure(
              429, "the output of commands that run now takes all room; try again later\n"));
    }
    return code == 0
        ? call.json(output.bytes())
        : Future.failedFuture(
            new HttpFailure(
                500,
                "command '%s' exited with %d: %s"
                    .formatted(String.join(" ", command), code, output.bytes())));
  }
}
