package dev.vertlet.simulated.shell;

import dev.vertlet.simulated.shell.Script.Assignment;
import dev.vertlet.simulated.shell.Script.Command;
import dev.vertlet.simulated.shell.Script.Part;
import dev.vertlet.simulated.shell.Script.Redirect;
import dev.vertlet.simulated.shell.Script.Step;
import dev.vertlet.simulated.shell.Script.When;
import dev.vertlet.simulated.shell.Script.Word;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Runs scripts: variables, builtins, the order of commands. */
final class Shell {
  private static final int NOT_FOUND = 127;
  private static final int CANNOT_RUN = 126;
  private static final int MISUSED = 2;

  /** Of one command's words, and of all variables: Linux's 2 MiB for arguments. */
  private static final int MOST_CHARACTERS = 2 << 20;

  /** How deep {@code sh -c} may go. */
  private static final int DEEPEST = 8;

  private static final String DEPTH = "SHLVL";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Set<String> BUILTINS = Set.of(":", "cd", "exit", "export", "help", "unset");

  private final Call started;
  private final List<String> parameters;
  private final Map<String, String> variables;
  private final Set<String> exported;

  /** Characters of all variables' values. */
  private int used;

  private Interrupt interrupt;
  private int status;
  private boolean exited;

  /**
   * @param started how the shell itself was started
   * @param parameters {@code $0}, {@code $1} and so on
   */
  Shell(Call started, List<String> parameters) {
    this.started = started;
    this.parameters = List.copyOf(parameters);
    this.variables = new LinkedHashMap<>(started.environment());
    this.used = variables.values().stream().mapToInt(String::length).sum();
    this.exported = new HashSet<>(started.environment().keySet());
    this.interrupt = started.interrupt();
  }

  /** {@code sh}, {@code sh -c script} and what follows. */
  static Future<Integer> program(Call call) {
    List<String> rest = call.rest();
    int depth = depth(call);
    if (depth > DEEPEST) {
      return call.fails(MISUSED, "more than " + DEEPEST + " shells in one another");
    }
    Map<String, String> environment = new LinkedHashMap<>(call.environment());
    environment.put(DEPTH, Integer.toString(depth));
    Call deeper = new Call(call.arguments(), environment, call.io(), call.host(), call.interrupt());
    if (rest.isEmpty() || rest.equals(List.of("-i"))) {
      return new Dialogue(new Shell(deeper, List.of("sh")), deeper).run();
    }
    if (!rest.get(0).equals("-c")) {
      return call.fails(MISUSED, "can't open '" + rest.get(0) + "': No such file or directory");
    }
    if (rest.size() == 1) {
      return call.fails(MISUSED, "-c requires an argument");
    }
    List<String> parameters = rest.size() > 2 ? rest.subList(2, rest.size()) : List.of("sh");
    return new Shell(deeper, parameters).run(rest.get(1), call.interrupt());
  }

  private static int depth(Call call) {
    String before = call.environment().getOrDefault(DEPTH, "0");
    return NUMBER.matcher(before).matches() ? Integer.parseInt(before) + 1 : 1;
  }

  /** Runs a text; one that is no script fails as a whole. */
  Future<Integer> run(String text, Interrupt until) {
    try {
      return run(ScriptParser.parse(text), until);
    } catch (ScriptException e) {
      return refuse(e);
    }
  }

  /** Says what is wrong with a script. */
  Future<Integer> refuse(ScriptException why) {
    started.io().err().line("sh: " + why.getMessage());
    status = MISUSED;
    return Future.succeededFuture(status);
  }

  /**
   * Runs a script.
   *
   * @param until ends it early
   * @return the status of its last command
   */
  Future<Integer> run(Script script, Interrupt until) {
    interrupt = until;
    Promise<Integer> done = Promise.promise();
    next(script.steps(), 0, done);
    return done.future();
  }

  /** Whether a command has ended the shell. */
  boolean exited() {
    return exited;
  }

  int status() {
    return status;
  }

  /** What the last command would have ended with had it not been interrupted. */
  void status(int code) {
    status = code;
  }

  private void next(List<Step> steps, int index, Promise<Integer> done) {
    for (int i = index; i < steps.size() && !exited && !interrupt.raised(); i++) {
      Step step = steps.get(i);
      boolean runs = step.when() == When.ALWAYS || (step.when() == When.SUCCEEDED) == (status == 0);
      if (!runs) {
        continue;
      }
      Future<Integer> result = perform(step.command());
      if (!result.isComplete()) {
        int following = i + 1;
        result.onComplete(
            ended -> {
              interrupt.waiting(null);
              status = ended.succeeded() ? ended.result() : 1;
              started.host().serial.run(() -> next(steps, following, done));
            });
        return;
      }
      interrupt.waiting(null);
      status = result.succeeded() ? result.result() : 1;
    }
    if (interrupt.raised()) {
      status = interrupt.code();
    }
    done.complete(status);
  }

  private Future<Integer> perform(Command command) {
    try {
      return performed(command);
    } catch (TooLongException e) {
      started.io().err().line("sh: Argument list too long");
      return Future.succeededFuture(CANNOT_RUN);
    }
  }

  private Future<Integer> performed(Command command) {
    Room room = new Room();
    List<String> words = new ArrayList<>();
    command.words().forEach(word -> expand(word, words, room));
    Stdio io = redirected(command.redirects());
    Map<String, String> environment = environment();
    for (Assignment assignment : command.assignments()) {
      String value = value(assignment.value(), room);
      environment.put(assignment.name(), value);
      if (words.isEmpty()) {
        set(assignment.name(), value);
      }
    }
    if (words.isEmpty()) {
      return Future.succeededFuture(0);
    }
    Call call = new Call(words, environment, io, started.host(), interrupt);
    if (BUILTINS.contains(words.get(0))) {
      return Future.succeededFuture(builtin(call));
    }
    Function<Call, Future<Integer>> program = Programs.find(words.get(0));
    if (program == null) {
      io.err().line("sh: " + words.get(0) + ": not found; help lists what there is");
      return Future.succeededFuture(NOT_FOUND);
    }
    return program.apply(call);
  }

  private int builtin(Call call) {
    List<String> rest = call.rest();
    switch (call.name()) {
      case "exit" -> {
        if (!rest.isEmpty() && !NUMBER.matcher(rest.get(0)).matches()) {
          call.io().err().line("sh: exit: Illegal number: " + rest.get(0));
          exited = true;
          return MISUSED;
        }
        exited = true;
        return rest.isEmpty() ? status : Integer.parseInt(rest.get(0)) & 0xff;
      }
      case "help" -> {
        help(call.io().out());
        return 0;
      }
      case "export" -> {
        return rest.stream().allMatch(word -> export(call, word)) ? 0 : MISUSED;
      }
      case "unset" -> {
        rest.forEach(this::unset);
        return 0;
      }
      case "cd" -> {
        if (rest.isEmpty() || rest.get(0).equals("/")) {
          return 0;
        }
        call.io().err().line("sh: cd: can't cd to " + rest.get(0) + ": No such file or directory");
        return MISUSED;
      }
      default -> {
        return 0;
      }
    }
  }

  private static void help(Output out) {
    out.line("A simulated shell, without files, pipes and loops.");
    out.line("programs: " + String.join(" ", Programs.names()));
    out.line("builtins: " + String.join(" ", new TreeSet<>(BUILTINS)));
    out.line("besides:  ; && || quotes variables 2>&1 >&2 >/dev/null </dev/null");
  }

  private boolean export(Call call, String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    if (!NAME.matcher(name).matches()) {
      call.io().err().line("sh: export: " + word + ": bad variable name");
      return false;
    }
    if (equals >= 0) {
      set(name, word.substring(equals + 1));
    }
    exported.add(name);
    return true;
  }

  /** What programs see. */
  private Map<String, String> environment() {
    Map<String, String> seen = new LinkedHashMap<>();
    variables.forEach(
        (name, value) -> {
          if (exported.contains(name)) {
            seen.put(name, value);
          }
        });
    return seen;
  }

  private Stdio redirected(List<Redirect> redirects) {
    Stdio io = started.io();
    Input in = io.in();
    Output out = io.out();
    Output err = io.err();
    for (Redirect redirect : redirects) {
      Output to =
          redirect.to() == 0
              ? Output.nowhere(started.host().serial)
              : redirect.to() == 1 ? out : err;
      switch (redirect.from()) {
        case 0 -> in = redirect.to() == 0 ? Input.none() : in;
        case 1 -> out = to;
        default -> err = to;
      }
    }
    return new Stdio(in, out, err, io.terminal() && in == io.in());
  }

  /** Adds what a word becomes: one argument, none, or several. */
  private void expand(Word word, List<String> into, Room room) {
    StringBuilder open = new StringBuilder();
    boolean begun = false;
    for (Part part : word.parts()) {
      String text = part.variable() ? variable(part.text()) : part.text();
      room.take(text);
      if (part.quoted() || !part.variable()) {
        open.append(text);
        begun = true;
        continue;
      }
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c != ' ' && c != '\t' && c != '\n') {
          open.append(c);
          begun = true;
        } else if (begun) {
          into.add(open.toString());
          open.setLength(0);
          begun = false;
        }
      }
    }
    if (begun) {
      into.add(open.toString());
    }
  }

  /** A word that is one value whatever is in it. */
  private String value(Word word, Room room) {
    StringBuilder made = new StringBuilder();
    for (Part part : word.parts()) {
      String text = part.variable() ? variable(part.text()) : part.text();
      room.take(text);
      made.append(text);
    }
    return made.toString();
  }

  private void set(String name, String value) {
    int after = used - variables.getOrDefault(name, "").length() + value.length();
    if (after > MOST_CHARACTERS) {
      throw new TooLongException();
    }
    used = after;
    variables.put(name, value);
  }

  private void unset(String name) {
    String value = variables.remove(name);
    used -= value == null ? 0 : value.length();
  }

  /** What a command's words may take: a script of a line can ask for more memory than there is. */
  private static final class Room {
    private int left = MOST_CHARACTERS;

    void take(String text) {
      left -= text.length();
      if (left < 0) {
        throw new TooLongException();
      }
    }
  }

  private static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super("too long", null, false, false);
    }
  }

  private String variable(String name) {
    if (name.equals("?")) {
      return Integer.toString(status);
    }
    if (name.equals("$")) {
      return "1";
    }
    if (name.equals("#")) {
      return Integer.toString(parameters.size() - 1);
    }
    if (NUMBER.matcher(name).matches()) {
      int index = Integer.parseInt(name);
      return index < parameters.size() ? parameters.get(index) : "";
    }
    return variables.getOrDefault(name, "");
  }
}
