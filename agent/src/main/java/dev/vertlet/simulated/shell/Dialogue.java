package dev.vertlet.simulated.shell;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A shell that reads its commands from its standard input: with prompts on a terminal, else as a
 * script. Programs it starts read on where it has stopped.
 */
final class Dialogue {
  private static final String PROMPT = "/ # ";
  private static final String MORE = "> ";
  private static final int LONGEST_LINE = 64 * 1024;

  private final Shell shell;
  private final Call call;
  private final Promise<Integer> done = Promise.promise();
  private final StringBuilder command = new StringBuilder();
  private Buffer line = Buffer.buffer();

  /** Of the command that runs; null while the next one is read. */
  private @Nullable Interrupt running;

  Dialogue(Shell shell, Call call) {
    this.shell = shell;
    this.call = call;
  }

  /** Completes when the input is at its end, a command has ended the shell, or it was ended. */
  Future<Integer> run() {
    call.interrupt().waiting(this::ended);
    if (call.io().terminal()) {
      Runnable outer = call.host().onInterrupt;
      call.host().onInterrupt = this::interrupted;
      done.future().onComplete(status -> call.host().onInterrupt = outer);
    }
    prompt(PROMPT);
    read();
    return done.future();
  }

  /** The client or the container has gone. */
  private void ended(int code) {
    call.io().in().stop();
    if (running != null) {
      running.raise(code);
    }
    done.tryComplete(code);
  }

  /** Ctrl-C. */
  private void interrupted() {
    if (running != null) {
      running.raise(Interrupt.INTERRUPTED);
    } else {
      command.setLength(0);
      line = Buffer.buffer();
      shell.status(Interrupt.INTERRUPTED);
      prompt(PROMPT);
    }
  }

  private void prompt(String text) {
    if (call.io().terminal()) {
      call.io().err().write(text);
    }
  }

  private void read() {
    if (!done.future().isComplete()) {
      call.io().in().read(this::take, this::atEnd);
    }
  }

  private void take(Buffer buffer) {
    for (int i = 0; i < buffer.length(); i++) {
      if (buffer.getByte(i) == '\n') {
        line.appendBuffer(buffer, 0, i + 1);
        call.io().in().stop(buffer.slice(i + 1, buffer.length()));
        String text = line.toString(StandardCharsets.UTF_8);
        line = Buffer.buffer();
        // not from within: thousands of lines would go as deep
        call.host().serial.run(() -> execute(text));
        return;
      }
    }
    line.appendBuffer(buffer);
    if (line.length() > LONGEST_LINE) {
      call.io().in().stop();
      call.io().err().line("sh: a line must not be longer than " + LONGEST_LINE + " bytes");
      done.tryComplete(2);
    }
  }

  private void atEnd() {
    String rest = line.toString(StandardCharsets.UTF_8);
    line = Buffer.buffer();
    if (rest.isEmpty() && command.length() == 0) {
      prompt("\n");
      done.tryComplete(shell.status());
      return;
    }
    try {
      Script script = ScriptParser.parse(command + rest);
      start(script, true);
    } catch (ScriptException e) {
      done.tryComplete(shell.refuse(e).result());
    }
  }

  private void execute(String text) {
    if (done.future().isComplete()) {
      return;
    }
    command.append(text);
    try {
      Script script = ScriptParser.parse(command.toString());
      command.setLength(0);
      start(script, false);
    } catch (ScriptException e) {
      if (e.unfinished() && command.length() <= LONGEST_LINE) {
        prompt(MORE);
      } else {
        command.setLength(0);
        shell.refuse(e);
        if (!call.io().terminal()) {
          done.tryComplete(shell.status());
          return;
        }
        prompt(PROMPT);
      }
      read();
    }
  }

  private void start(Script script, boolean last) {
    Interrupt own = new Interrupt();
    running = own;
    shell
        .run(script, own)
        .onComplete(
            status -> {
              running = null;
              if (last || shell.exited()) {
                done.tryComplete(shell.status());
              } else if (!done.future().isComplete()) {
                prompt(PROMPT);
                call.host().serial.run(this::read);
              }
            });
  }
}
