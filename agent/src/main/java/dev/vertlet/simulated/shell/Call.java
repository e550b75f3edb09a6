package dev.vertlet.simulated.shell;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;

/**
 * One run of a program.
 *
 * @param arguments with its name as the first
 * @param environment that it was given
 */
record Call(
    List<String> arguments,
    Map<String, String> environment,
    Stdio io,
    Host host,
    Interrupt interrupt) {
  String name() {
    String path = arguments.get(0);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The arguments behind the name. */
  List<String> rest() {
    return arguments.subList(1, arguments.size());
  }

  Future<Integer> done(int code) {
    return Future.succeededFuture(code);
  }

  /** Says what went wrong, as programs do. */
  Future<Integer> fails(int code, String message) {
    io.err().line(name() + ": " + message);
    return done(code);
  }

  /**
   * The result of a program that waits for something.
   *
   * @param cancel frees what it waits for
   */
  Promise<Integer> waits(Runnable cancel) {
    Promise<Integer> result = Promise.promise();
    interrupt.waiting(
        code -> {
          cancel.run();
          result.tryComplete(code);
        });
    return result;
  }
}
