package dev.vertlet.simulated.shell;

import io.vertx.core.Future;
import java.util.List;

/**
 * One run of a program.
 *
 * @param arguments with its name as the first
 */
record Call(List<String> arguments, Input in, Output out, Output err, Session session) {
  String name() {
    String path = arguments.get(0);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the arguments after the name. */
  List<String> rest() {
    return arguments.subList(1, arguments.size());
  }

  Future<Integer> done(int code) {
    return Future.succeededFuture(code);
  }

  /** Writes one line and succeeds. */
  Future<Integer> prints(String line) {
    out.line(line);
    return done(0);
  }

  /** Writes an error as programs do, and returns the exit code. */
  Future<Integer> fails(int code, String message) {
    err.line(name() + ": " + message);
    return done(code);
  }
}
