package dev.vertlet.simulated.shell;

import dev.vertlet.provider.stream.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The programs of the shell, at the usual paths such as {@code /bin} and {@code /usr/bin}. */
final class Programs {
  private static final Map<String, Program> BY_NAME =
      Map.ofEntries(
          Map.entry("cat", Programs::cat),
          Map.entry("echo", Programs::echo),
          Map.entry("env", Programs::environment),
          Map.entry("false", call -> call.done(1)),
          Map.entry("hostname", call -> call.prints(call.session().hostname)),
          Map.entry("printenv", Programs::environment),
          Map.entry("sh", Shell::program),
          Map.entry("sleep", Programs::sleep),
          Map.entry("stty", Programs::stty),
          Map.entry("true", call -> call.done(0)),
          Map.entry("tty", Programs::tty),
          Map.entry("yes", Programs::yes));

  private static final Pattern PATH = Pattern.compile("(/(usr/)?(local/)?s?bin/)?[^/]+");
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)([smhd]?)");
  private static final Map<String, Integer> UNITS =
      Map.of("", 1000, "s", 1000, "m", 60_000, "h", 3_600_000, "d", 86_400_000);

  /** Number of characters in one write of {@code yes}. */
  private static final int CHUNK = 32 * 1024;

  private Programs() {}

  /** Runs with the streams of its call. */
  interface Program {
    /** Completes with the exit code. */
    Future<Integer> run(Call call);
  }

  /** Returns the program of this name or path, or null. */
  static @Nullable Program find(String path) {
    return PATH.matcher(path).matches()
        ? BY_NAME.get(path.substring(path.lastIndexOf('/') + 1))
        : null;
  }

  static SortedSet<String> names() {
    return new TreeSet<>(BY_NAME.keySet());
  }

  private static Future<Integer> echo(Call call) {
    List<String> words = call.rest();
    boolean bare = !words.isEmpty() && words.get(0).equals("-n");
    String text = String.join(" ", bare ? words.subList(1, words.size()) : words);
    call.out().write(bare ? text : text + "\n");
    return call.done(0);
  }

  /** Prints all variables, or the values of some. */
  private static Future<Integer> environment(Call call) {
    Map<String, String> environment = call.session().environment;
    if (call.rest().isEmpty()) {
      String lines =
          environment.entrySet().stream()
              .map(variable -> variable.getKey() + "=" + variable.getValue() + "\n")
              .collect(Collectors.joining());
      call.out().write(lines);
      return call.done(0);
    }
    if (call.name().equals("env")) {
      return call.fails(1, "the simulated env takes no arguments");
    }
    int code = 0;
    for (String name : call.rest()) {
      String value = environment.get(name);
      if (value == null) {
        code = 1;
      } else {
        call.out().line(value);
      }
    }
    return call.done(code);
  }

  private static Future<Integer> sleep(Call call) {
    if (call.rest().isEmpty()) {
      return call.fails(1, "missing operand");
    }
    double millis = 0;
    for (String argument : call.rest()) {
      Matcher time = TIME.matcher(argument);
      if (!time.matches()) {
        return call.fails(1, "invalid number '" + argument + "'");
      }
      millis += Double.parseDouble(time.group(1)) * UNITS.getOrDefault(time.group(2), 1000);
    }
    if (millis < 1) {
      return call.done(0);
    }
    Promise<Integer> awake = call.session().interrupt.waits();
    Runnable cancel = call.session().alarm.set(Math.round(millis), () -> awake.tryComplete(0));
    return awake.future().onComplete(over -> cancel.run());
  }

  /** Copies standard input to standard output, as fast as the slower of both. */
  private static Future<Integer> cat(Call call) {
    for (String file : call.rest()) {
      if (!file.equals("-")) {
        return call.fails(1, "can't open '" + file + "': No such file or directory");
      }
    }
    Promise<Integer> done = call.session().interrupt.waits();
    call.in().read(call.out()::write, () -> done.tryComplete(0), call.out());
    return done.future().onComplete(over -> call.in().stop());
  }

  /** Prints the size of the terminal. */
  private static Future<Integer> stty(Call call) {
    if (!call.session().terminal) {
      return call.fails(1, "standard input: Not a tty");
    }
    if (!call.rest().equals(List.of("size"))) {
      return call.fails(1, "the simulated stty knows: stty size");
    }
    TerminalSize size = call.session().size;
    return call.prints(size == null ? "0 0" : size.height() + " " + size.width());
  }

  private static Future<Integer> tty(Call call) {
    if (call.session().terminal) {
      return call.prints("/dev/pts/0");
    }
    call.out().line("not a tty");
    return call.done(1);
  }

  /** Writes a line again and again. */
  private static Future<Integer> yes(Call call) {
    String line = (call.rest().isEmpty() ? "y" : String.join(" ", call.rest())) + "\n";
    Buffer chunk = Buffer.buffer(line.repeat(CHUNK / line.length() + 1));
    return new Flood(call, chunk).begin();
  }
}
