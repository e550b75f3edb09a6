package dev.vertlet.simulated.shell;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One command of one client in a container. */
public final class Session {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  final String hostname;
  final Map<String, String> environment;
  final boolean terminal;
  final Serial serial = new Serial();
  final Alarm alarm;
  final Interrupt interrupt = new Interrupt();

  /** Size of the terminal; null until the client sends it. */
  @Nullable TerminalSize size;

  /** Number of nested shells. */
  int shells;

  private final ContainerIo io;

  /**
   * @param terminal whether the command gets a terminal
   * @param hostname of the container
   * @param variables of the container
   */
  public Session(
      ContainerIo io,
      boolean terminal,
      String hostname,
      Map<String, String> variables,
      Alarm alarm) {
    this.io = io;
    this.terminal = terminal;
    this.hostname = hostname;
    this.environment = new LinkedHashMap<>();
    environment.put("PATH", PATH);
    environment.put("HOSTNAME", hostname);
    environment.put("HOME", "/root");
    if (terminal) {
      environment.put("TERM", "xterm");
    }
    environment.putAll(variables);
    this.alarm = (delay, action) -> alarm.set(delay, () -> serial.run(action));
  }

  /**
   * Runs a program.
   *
   * @return its exit code, after all its output was written; fails if there is no such program
   */
  public Future<Integer> run(List<String> command) {
    Programs.Program program = command.isEmpty() ? null : Programs.find(command.get(0));
    if (program == null) {
      return Future.failedFuture(notFound(command));
    }
    Output out = new Output(io.stdout(), terminal, serial);
    Output err = terminal ? out : new Output(io.stderr(), false, serial);
    Promise<Integer> done = Promise.promise();
    serial.run(
        () ->
            Future.succeededFuture(new Call(command, input(out), out, err, this))
                .compose(program::run)
                .otherwise(1)
                .onSuccess(
                    code ->
                        out.flushed()
                            .eventually(err::flushed)
                            .onComplete(written -> done.tryComplete(code))));
    io.gone().onComplete(gone -> end(Interrupt.HANGUP));
    return done.future();
  }

  private Input input(Output echo) {
    Input in = Input.of(io.stdin(), serial);
    if (!terminal) {
      return in;
    }
    io.onResize(latest -> serial.run(() -> size = latest));
    return Terminal.lines(in, echo, () -> interrupt.raise(Interrupt.INTERRUPTED));
  }

  /**
   * Echoes a client's input to a container's first process.
   *
   * @param out output of that process
   */
  public static void echo(ContainerIo io, boolean terminal, Output out, Serial serial) {
    serial.run(
        () -> {
          Input in = Input.of(io.stdin(), serial);
          if (terminal) {
            Terminal.lines(in, out, () -> {}).read(line -> {}, () -> {}, out);
          } else {
            in.read(out::write, () -> {}, out);
          }
        });
  }

  /** Ends the command, if it still runs, because the container has ended. */
  public void kill() {
    end(Interrupt.KILLED);
  }

  private void end(int code) {
    serial.run(() -> interrupt.raise(code));
  }

  /** Uses the message of container runtimes. */
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
