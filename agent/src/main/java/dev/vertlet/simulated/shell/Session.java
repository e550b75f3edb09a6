package dev.vertlet.simulated.shell;

import dev.vertlet.model.ContainerUserView;
import dev.vertlet.provider.ContainerIo;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One command that runs for one client in a container. */
public final class Session {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final Serial serial = new Serial();
  private final Interrupt interrupt = new Interrupt();
  private final ContainerIo io;
  private final boolean tty;
  private final Host host;

  /**
   * @param tty whether the command gets a terminal
   * @param hostname what the container's host is called
   * @param user as whom the command runs
   * @param variables of the container
   */
  public Session(
      ContainerIo io,
      boolean tty,
      String hostname,
      ContainerUserView user,
      Map<String, String> variables,
      Clock clock,
      Alarm alarm) {
    this.io = io;
    this.tty = tty;
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", PATH);
    environment.put("HOSTNAME", hostname);
    environment.put("HOME", "/root");
    if (tty) {
      environment.put("TERM", "xterm");
    }
    environment.putAll(variables);
    this.host =
        new Host(
            hostname,
            user,
            environment,
            clock,
            (delay, action) -> alarm.set(delay, () -> serial.run(action)),
            serial);
  }

  /**
   * Runs a program.
   *
   * @return its exit code, when all its output was written; fails when there is no such program
   */
  public Future<Integer> run(List<String> command) {
    Function<Call, Future<Integer>> program =
        command.isEmpty() ? null : Programs.find(command.get(0));
    if (program == null) {
      return Future.failedFuture(notFound(command));
    }
    Output out = new Output(io.stdout(), tty, serial);
    Output err = tty ? out : new Output(io.stderr(), false, serial);
    Promise<Integer> done = Promise.promise();
    serial.run(
        () -> {
          Stdio stdio = new Stdio(input(out), out, err, tty);
          Call call = new Call(command, host.environment, stdio, host, interrupt);
          Future.succeededFuture(call)
              .compose(program::apply)
              .onComplete(ended -> finish(ended.succeeded() ? ended.result() : 1, stdio, done));
        });
    io.gone().onComplete(gone -> end(Interrupt.HANGUP));
    return done.future();
  }

  /**
   * Sends back what a client sends to a container's first process.
   *
   * @param out where that writes
   */
  public static void echo(ContainerIo io, boolean tty, Output out, Serial serial) {
    serial.run(
        () -> {
          if (tty) {
            Terminal terminal = new Terminal(out, () -> {});
            terminal.listen(io.stdin(), serial);
            terminal.input().read(line -> {}, () -> {});
          } else {
            Input in = Input.of(io.stdin(), serial);
            in.read(buffer -> pass(buffer, in, out), () -> {});
          }
        });
  }

  private static void pass(Buffer buffer, Input in, Output out) {
    out.write(buffer);
    if (out.full()) {
      in.pause();
      out.whenReady(in::resume);
    }
  }

  private Input input(Output echo) {
    if (!tty) {
      return Input.of(io.stdin(), serial);
    }
    host.onInterrupt = () -> interrupt.raise(Interrupt.INTERRUPTED);
    io.onResize(size -> serial.run(() -> host.size = size));
    Terminal terminal = new Terminal(echo, () -> host.onInterrupt.run());
    terminal.listen(io.stdin(), serial);
    return terminal.input();
  }

  private static void finish(int code, Stdio stdio, Promise<Integer> done) {
    stdio
        .out()
        .flushed()
        .eventually(stdio.err()::flushed)
        .onComplete(written -> done.tryComplete(code));
  }

  /** Ends the command, if it still runs, because the container has ended. */
  public void kill() {
    end(Interrupt.KILLED);
  }

  private void end(int code) {
    serial.run(() -> interrupt.raise(code));
  }

  /** As runtimes say it. */
  private static ProviderException notFound(List<String> command) {
    String name = command.isEmpty() ? "" : command.get(0);
    String why =
        name.contains("/")
            ? "stat " + name + ": no such file or directory"
            : "executable file not found in $PATH";
    return new ProviderException(
        Kind.TEMPORARY,
        "ExecFailed",
        "failed to exec in container: OCI runtime exec failed: exec failed: unable to start"
            + " container process: exec: \""
            + name
            + "\": "
            + why
            + ": unknown");
  }
}
