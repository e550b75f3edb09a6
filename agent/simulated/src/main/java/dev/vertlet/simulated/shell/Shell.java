package dev.vertlet.simulated.shell;

import dev.vertlet.simulated.shell.ScriptParser.Command;
import dev.vertlet.simulated.shell.ScriptParser.Redirect;
import dev.vertlet.simulated.shell.ScriptParser.SyntaxException;
import dev.vertlet.simulated.shell.ScriptParser.When;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs a script, or reads commands from standard input: with prompts on a terminal, else as a
 * script. A program that it starts continues with the rest of the input.
 */
final class Shell {
  private static final int NOT_FOUND = 127;
  private static final int MISUSED = 2;

  /** Most nested shells. */
  private static final int DEEPEST = 8;

  private static final String PROMPT = "/ # ";
  private static final String MORE = "> ";
  private static final int LONGEST_LINE = 64 * 1024;

  /** Results of reading a line, besides the codes of {@link Interrupt}. */
  private static final int READ = 0;

  private static final int AT_END = -1;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private final Call call;
  private final Session session;
  private final Promise<Integer> done = Promise.promise();
  private Buffer text = Buffer.buffer();
  private int status;
  private boolean exited;

  private Shell(Call call) {
    this.call = call;
    this.session = call.session();
  }

  /** Runs {@code sh} and {@code sh -c script}. */
  static Future<Integer> program(Call call) {
    Session session = call.session();
    if (session.shells == DEEPEST) {
      return call.fails(MISUSED, "more than " + DEEPEST + " shells in one another");
    }
    session.shells++;
    return new Shell(call).start().onComplete(over -> session.shells--);
  }

  private Future<Integer> start() {
    List<String> rest = call.rest();
    if (rest.isEmpty() || rest.equals(List.of("-i"))) {
      read(PROMPT);
      return done.future();
    }
    if (!rest.get(0).equals("-c")) {
      return call.fails(MISUSED, "can't open '" + rest.get(0) + "': No such file or directory");
    }
    if (rest.size() == 1) {
      return call.fails(MISUSED, "-c requires an argument");
    }
    try {
      return run(ScriptParser.parse(rest.get(1)));
    } catch (SyntaxException e) {
      refuse(e);
      return call.done(status);
    }
  }

  /** Prints the error of a script. */
  private void refuse(SyntaxException why) {
    call.err().line("sh: " + why.getMessage());
    status = MISUSED;
  }

  private void prompt(String prompt) {
    if (session.terminal) {
      call.err().write(prompt);
    }
  }

  /** Reads a line, and runs the command when it is complete. */
  private void read(String prompt) {
    prompt(prompt);
    Promise<Integer> line = session.interrupt.waits();
    call.in().read(buffer -> take(buffer, line), () -> line.tryComplete(AT_END), call.out());
    line.future()
        .onSuccess(
            code -> {
              call.in().stop();
              if (code == READ || code == AT_END) {
                // not from within: thousands of lines would nest as deeply
                session.serial.run(() -> execute(code == AT_END));
              } else if (code == Interrupt.INTERRUPTED) {
                session.interrupt.clear();
                text = Buffer.buffer();
                status = code;
                read(PROMPT);
              } else {
                done.tryComplete(code);
              }
            });
  }

  private void take(Buffer buffer, Promise<Integer> line) {
    int end = 0;
    while (end < buffer.length() && buffer.getByte(end) != '\n') {
      end++;
    }
    boolean whole = end < buffer.length();
    end = whole ? end + 1 : end;
    text.appendBuffer(buffer, 0, end);
    if (text.length() > LONGEST_LINE) {
      call.err().line("sh: a line must not be longer than " + LONGEST_LINE + " bytes");
      line.tryComplete(MISUSED);
    } else if (whole) {
      call.in().stop(buffer.slice(end, buffer.length()));
      line.tryComplete(READ);
    }
  }

  private void execute(boolean last) {
    if (last && text.length() == 0) {
      prompt("\n");
    }
    try {
      List<Command> script = ScriptParser.parse(text.toString(StandardCharsets.UTF_8));
      text = Buffer.buffer();
      run(script).onSuccess(code -> executed(last || exited));
    } catch (SyntaxException e) {
      if (e.unfinished() && !last) {
        read(MORE);
      } else {
        text = Buffer.buffer();
        refuse(e);
        executed(last || !session.terminal);
      }
    }
  }

  private void executed(boolean last) {
    session.interrupt.clear();
    if (last || session.interrupt.code() != 0) {
      done.tryComplete(status);
    } else {
      // a script must not write faster than its output is read
      call.out().whenReady(() -> call.err().whenReady(() -> read(PROMPT)));
    }
  }

  /** Completes with the status of the last command. */
  private Future<Integer> run(List<Command> script) {
    Promise<Integer> ended = Promise.promise();
    next(script, 0, ended);
    return ended.future();
  }

  private void next(List<Command> script, int index, Promise<Integer> ended) {
    for (int i = index; i < script.size() && goesOn(); i++) {
      Command command = script.get(i);
      When when = command.when();
      if (when != When.ALWAYS && (when == When.SUCCEEDED) != (status == 0)) {
        continue;
      }
      Future<Integer> result = perform(command);
      if (!result.isComplete()) {
        int following = i + 1;
        result.onSuccess(
            code ->
                session.serial.run(
                    () -> {
                      status = code;
                      next(script, following, ended);
                    }));
        return;
      }
      status = result.result();
    }
    if (session.interrupt.code() != 0) {
      status = session.interrupt.code();
    }
    ended.complete(status);
  }

  private boolean goesOn() {
    return !exited && session.interrupt.code() == 0;
  }

  private Future<Integer> perform(Command command) {
    Call started = redirected(command);
    return switch (command.words().get(0)) {
      case "exit" -> exit(started);
      case "help" -> help(started);
      default -> program(command.words().get(0), started);
    };
  }

  private Call redirected(Command command) {
    Output out = call.out();
    Output err = call.err();
    for (Redirect redirect : command.redirects()) {
      Output to =
          switch (redirect.to()) {
            case 1 -> out;
            case 2 -> err;
            default -> Output.nowhere(session.serial);
          };
      if (redirect.from() == 1) {
        out = to;
      } else {
        err = to;
      }
    }
    return new Call(command.words(), call.in(), out, err, session);
  }

  private static Future<Integer> program(String name, Call started) {
    Programs.Program program = Programs.find(name);
    if (program == null) {
      started.err().line("sh: " + name + ": not found; help lists what there is");
      return started.done(NOT_FOUND);
    }
    return program.run(started);
  }

  private Future<Integer> exit(Call started) {
    exited = true;
    if (started.rest().isEmpty()) {
      return started.done(status);
    }
    String code = started.rest().get(0);
    if (!NUMBER.matcher(code).matches()) {
      started.err().line("sh: exit: Illegal number: " + code);
      return started.done(MISUSED);
    }
    return started.done(Integer.parseInt(code) & 0xff);
  }

  private static Future<Integer> help(Call started) {
    started.out().line("A simulated shell, without files, variables, pipes and loops.");
    started.out().line("programs: " + String.join(" ", Programs.names()));
    started.out().line("builtins: exit help");
    return started.prints("besides:  ; && || quotes 2>&1 >&2 >/dev/null");
  }
}
