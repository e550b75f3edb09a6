package dev.vertlet.simulated.shell;

import dev.vertlet.model.ContainerUserView;
import dev.vertlet.provider.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What there is to run, in {@code /bin}, {@code /usr/bin} and so on alike. */
final class Programs {
  private static final Map<String, Function<Call, Future<Integer>>> BY_NAME =
      Map.ofEntries(
          Map.entry("[", Programs::test),
          Map.entry("cat", Programs::cat),
          Map.entry("date", Programs::date),
          Map.entry("echo", Programs::echo),
          Map.entry("env", Programs::environment),
          Map.entry("false", call -> call.done(1)),
          Map.entry("hostname", call -> says(call, call.host().hostname)),
          Map.entry("id", Programs::id),
          Map.entry("printenv", Programs::environment),
          Map.entry("pwd", call -> says(call, "/")),
          Map.entry("sh", Shell::program),
          Map.entry("sleep", Programs::sleep),
          Map.entry("stty", Programs::stty),
          Map.entry("test", Programs::test),
          Map.entry("true", call -> call.done(0)),
          Map.entry("tty", Programs::tty),
          Map.entry("whoami", Programs::whoami),
          Map.entry("yes", Programs::yes));

  private static final Pattern PATH = Pattern.compile("(/(usr/)?(local/)?s?bin/)?[^/]+");
  private static final Pattern SECONDS = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)([smhd]?)");
  private static final Map<String, Long> UNITS =
      Map.of("", 1000L, "s", 1000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ROOT);

  /** How much {@code yes} writes at once. */
  private static final int CHUNK = 32 * 1024;

  private Programs() {}

  /** The program of this name or path, or null. */
  static @Nullable Function<Call, Future<Integer>> find(String path) {
    return PATH.matcher(path).matches()
        ? BY_NAME.get(path.substring(path.lastIndexOf('/') + 1))
        : null;
  }

  /** Sorted. */
  static SortedSet<String> names() {
    return new TreeSet<>(BY_NAME.keySet());
  }

  private static Future<Integer> says(Call call, String line) {
    call.io().out().line(line);
    return call.done(0);
  }

  private static Future<Integer> id(Call call) {
    ContainerUserView user = call.host().user;
    String groups =
        user.supplementalGroups().stream().map(Programs::named).collect(Collectors.joining(","));
    return says(
        call, "uid=%s gid=%s groups=%s".formatted(named(user.uid()), named(user.gid()), groups));
  }

  /** A simulated container's passwd and group files name root alone. */
  private static String named(long id) {
    return id == 0 ? "0(root)" : Long.toString(id);
  }

  private static Future<Integer> whoami(Call call) {
    long uid = call.host().user.uid();
    return uid == 0 ? says(call, "root") : call.fails(1, "unknown uid " + uid);
  }

  private static Future<Integer> echo(Call call) {
    List<String> words = call.rest();
    boolean bare = !words.isEmpty() && words.get(0).equals("-n");
    String text = String.join(" ", bare ? words.subList(1, words.size()) : words);
    call.io().out().write(bare ? text : text + "\n");
    return call.done(0);
  }

  /** All variables, or the values of some. */
  private static Future<Integer> environment(Call call) {
    int code = 0;
    StringBuilder text = new StringBuilder();
    if (call.rest().isEmpty()) {
      call.environment().forEach((name, value) -> text.append(name + "=" + value + "\n"));
    } else if (call.name().equals("env")) {
      return call.fails(1, "the simulated env takes no arguments");
    }
    for (String name : call.rest()) {
      String value = call.environment().get(name);
      text.append(value == null ? "" : value + "\n");
      code = value == null ? 1 : code;
    }
    call.io().out().write(text.toString());
    return call.done(code);
  }

  private static Future<Integer> sleep(Call call) {
    BigDecimal millis = BigDecimal.ZERO;
    if (call.rest().isEmpty()) {
      return call.fails(1, "missing operand");
    }
    for (String argument : call.rest()) {
      var matcher = SECONDS.matcher(argument);
      if (!matcher.matches()) {
        return call.fails(1, "invalid number '" + argument + "'");
      }
      long unit = UNITS.getOrDefault(matcher.group(2), 1000L);
      millis = millis.add(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    if (millis.longValue() < 1) {
      return call.done(0);
    }
    Runnable[] cancel = {() -> {}};
    Promise<Integer> awake = call.waits(() -> cancel[0].run());
    if (!awake.future().isComplete()) {
      cancel[0] = call.host().alarm.set(millis.longValue(), () -> awake.tryComplete(0));
    }
    return awake.future();
  }

  /** Standard input goes to standard output, as fast as the slower of both. */
  private static Future<Integer> cat(Call call) {
    for (String file : call.rest()) {
      if (!file.equals("-")) {
        return call.fails(1, "can't open '" + file + "': No such file or directory");
      }
    }
    Input in = call.io().in();
    Output out = call.io().out();
    Promise<Integer> done = call.waits(in::stop);
    if (done.future().isComplete()) {
      return done.future();
    }
    in.read(
        buffer -> {
          out.write(buffer);
          if (out.full()) {
            in.pause();
            out.whenReady(
                () -> {
                  if (!done.future().isComplete()) {
                    in.resume();
                  }
                });
          }
        },
        () -> done.tryComplete(0));
    return done.future();
  }

  /** Writes without end, as fast as it is read. */
  private static Future<Integer> yes(Call call) {
    String line = (call.rest().isEmpty() ? "y" : String.join(" ", call.rest())) + "\n";
    byte[] one = line.getBytes(StandardCharsets.UTF_8);
    Buffer chunk = Buffer.buffer();
    do {
      chunk.appendBytes(one);
    } while (chunk.length() < CHUNK);
    return new Flood(call, chunk).begin();
  }

  private static Future<Integer> date(Call call) {
    ZonedDateTime now = call.host().clock.instant().atZone(ZoneOffset.UTC);
    List<String> words = call.rest().stream().filter(word -> !word.equals("-u")).toList();
    if (words.isEmpty()) {
      return says(call, DATE.format(now));
    }
    if (words.size() > 1 || !words.get(0).startsWith("+")) {
      return call.fails(1, "invalid date '" + words.get(0) + "'");
    }
    return says(call, formatted(words.get(0).substring(1), now));
  }

  private static String formatted(String format, ZonedDateTime now) {
    StringBuilder made = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        made.append(c);
        continue;
      }
      char field = format.charAt(++i);
      String pattern =
          switch (field) {
            case 'Y' -> "yyyy";
            case 'm' -> "MM";
            case 'd' -> "dd";
            case 'H' -> "HH";
            case 'M' -> "mm";
            case 'S' -> "ss";
            case 'N' -> "nnnnnnnnn";
            case 'F' -> "yyyy-MM-dd";
            case 'T' -> "HH:mm:ss";
            default -> "";
          };
      if (!pattern.isEmpty()) {
        made.append(DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(now));
      } else if (field == 's') {
        made.append(now.toEpochSecond());
      } else if (field == 'Z') {
        made.append("UTC");
      } else {
        made.append(field == '%' ? "%" : "%" + field);
      }
    }
    return made.toString();
  }

  private static Future<Integer> stty(Call call) {
    if (!call.io().terminal()) {
      return call.fails(1, "standard input: Not a tty");
    }
    if (!call.rest().equals(List.of("size"))) {
      return call.fails(1, "the simulated stty knows: stty size");
    }
    TerminalSize size = call.host().size;
    return says(call, size == null ? "0 0" : size.height() + " " + size.width());
  }

  private static Future<Integer> tty(Call call) {
    if (call.io().terminal()) {
      return says(call, "/dev/pts/0");
    }
    call.io().out().line("not a tty");
    return call.done(1);
  }

  private static Future<Integer> test(Call call) {
    List<String> words = call.rest();
    if (call.name().equals("[")) {
      if (words.isEmpty() || !words.get(words.size() - 1).equals("]")) {
        return call.fails(2, "missing ]");
      }
      words = words.subList(0, words.size() - 1);
    }
    Boolean answer = answer(words, call.io().terminal());
    return answer == null
        ? call.fails(2, "nothing that this shell can tell: " + String.join(" ", words))
        : call.done(answer ? 0 : 1);
  }

  private static @Nullable Boolean answer(List<String> words, boolean terminal) {
    if (words.size() == 2) {
      return switch (words.get(0)) {
        case "-n" -> !words.get(1).isEmpty();
        case "-z" -> words.get(1).isEmpty();
        case "-t" -> terminal;
        case "!" -> words.get(1).isEmpty();
        default -> null;
      };
    }
    if (words.size() == 3) {
      return switch (words.get(1)) {
        case "=", "==" -> words.get(0).equals(words.get(2));
        case "!=" -> !words.get(0).equals(words.get(2));
        default -> null;
      };
    }
    return words.isEmpty() ? Boolean.FALSE : words.size() == 1 ? !words.get(0).isEmpty() : null;
  }
}
