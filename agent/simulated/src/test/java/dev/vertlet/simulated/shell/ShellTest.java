package dev.vertlet.simulated.shell;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands in simulated containers, as a client sees them (C57). */
class ShellTest {
  private final List<Long> delays = new ArrayList<>();
  private final Map<Integer, Runnable> alarms = new LinkedHashMap<>();
  private Client client = Client.sending();

  private Session session(boolean tty) {
    Alarm alarm =
        (delay, action) -> {
          delays.add(delay);
          int id = delays.size();
          alarms.put(id, action);
          return () -> alarms.remove(id);
        };
    return new Session(client, tty, "web-1", Map.of("COLOUR", "deep  blue"), alarm);
  }

  private Future<Integer> exec(String... command) {
    return session(false).run(List.of(command));
  }

  /** Runs a script that needs no waiting; what it wrote and what it ended with. */
  private String sh(String script) {
    client = Client.sending();
    Future<Integer> done = exec("sh", "-c", script);
    assertThat(done.isComplete()).as(script).isTrue();
    String err = client.err().text();
    return client.out().text() + (err.isEmpty() ? "" : "!" + err) + "=" + done.result();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '^',
      value = {
        "echo a b => a b~=0",
        "echo 'a  b' \"c  d\" e\\ f => a  b c  d e f~=0",
        "echo -n x => x=0",
        "echo => ~=0",
        "echo '' => ~=0",
        "echo a; echo b => a~b~=0",
        "true && echo yes => yes~=0",
        "false && echo yes => =1",
        "false || echo no => no~=0",
        "true || echo no => =0",
        "false && echo a || echo b => b~=0",
        "exit 3 => =3",
        "exit 259 => =3",
        "exit 3; echo never => =3",
        "false; exit => =1",
        "exit x => !sh: exit: Illegal number: x~=2",
        "echo oops >&2 => !oops~=0",
        "echo oops 1>&2; exit 4 => !oops~=4",
        "nothing 2>&1 => sh: nothing: not found; help lists what there is~=127",
        "nothing => !sh: nothing: not found; help lists what there is~=127",
        "/opt/x/echo => !sh: /opt/x/echo: not found; help lists what there is~=127",
        "nothing 2>/dev/null => =127",
        "echo gone > /dev/null => =0",
        "nothing >/dev/null 2>&1 => =127",
        "nothing 2>&1 >/dev/null => sh: nothing: not found; help lists what there is~=127",
        "/bin/echo hi => hi~=0",
        "echo '$COLOUR' => $COLOUR~=0",
        "echo \"\\$COLOUR\" \\`x\\` \"\\\"a\\b\\\"\" => $COLOUR `x` \"a\\b\"~=0",
        "hostname => web-1~=0",
        "sh -c 'exit 5' || echo failed => failed~=0",
        "sh -c => !sh: -c requires an argument~=2",
        "sh x.sh => !sh: can't open 'x.sh': No such file or directory~=2",
        "cat /etc/passwd => !cat: can't open '/etc/passwd': No such file or directory~=1",
        "stty size => !stty: standard input: Not a tty~=1",
        "tty => not a tty~=1",
        "sleep => !sleep: missing operand~=1",
        "sleep soon => !sleep: invalid number 'soon'~=1",
        "sleep 0 => =0",
        "env x => !env: the simulated env takes no arguments~=1",
        "printenv COLOUR NONE => deep  blue~=1",
        "echo a\fb => a\fb~=0",
        "echo a#b # a comment => a#b~=0",
        "echo a | cat => !sh: syntax error: \"|\" is nothing that this shell knows~=2",
        "echo $HOSTNAME => !sh: syntax error: \"$\" is nothing that this shell knows~=2",
        "echo \"$?\" => !sh: syntax error: \"$\" is nothing that this shell knows~=2",
        "echo `date` => !sh: syntax error: \"`\" is nothing that this shell knows~=2",
        "echo \"`date`\" => !sh: syntax error: \"`\" is nothing that this shell knows~=2",
        "sleep 1 & => !sh: syntax error: \"&\" is nothing that this shell knows~=2",
        "echo x > file => !sh: syntax error: \">\" is nothing that this shell knows~=2",
        "cat < file => !sh: syntax error: \"<\" is nothing that this shell knows~=2",
        "(true) => !sh: syntax error: \"(\" is nothing that this shell knows~=2",
        "echo 'x => !sh: syntax error: unterminated quoted string~=2",
        "echo \"x => !sh: syntax error: unterminated quoted string~=2",
        "; echo => !sh: syntax error: unexpected \";\"~=2",
        "true && => !sh: syntax error: unexpected end of file~=2",
        "true && && true => !sh: syntax error: unexpected \"&\"~=2",
        " => =0",
      })
  void scripts(String script, String wanted) {
    assertThat(sh(script == null ? "" : script)).isEqualTo(wanted.replace('~', '\n'));
  }

  /** All of it works as it is listed. */
  @Test
  void helpListsWhatThereIs() {
    String help = sh("help");
    assertThat(help)
        .isEqualTo(
            """
            A simulated shell, without files, variables, pipes and loops.
            programs: cat echo env false hostname printenv sh sleep stty true tty yes
            builtins: exit help
            besides:  ; && || quotes 2>&1 >&2 >/dev/null
            =0\
            """);
    for (String name : "echo env false hostname printenv sleep stty true tty exit".split(" ")) {
      assertThat(sh(name)).as(name).doesNotContain("not found");
    }
    assertThat(sh("help >&2")).startsWith("!A simulated shell");
  }

  @Test
  void theEnvironmentIsWhatIsKnownOfIt() {
    assertThat(sh("env"))
        .isEqualTo(
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"
                + "HOSTNAME=web-1\nHOME=/root\nCOLOUR=deep  blue\n=0");
  }

  @Test
  void whatIsNoProgramCannotBeStarted() {
    for (List<String> command : List.of(List.of("bash"), List.of("exit"), List.<String>of())) {
      String name = command.isEmpty() ? "" : command.get(0);
      assertThat(session(false).run(command).cause())
          .isInstanceOf(ProviderException.class)
          .hasMessage(
              "failed to exec in container: OCI runtime exec failed: exec failed: unable to start"
                  + " container process: exec: \""
                  + name
                  + "\": executable file not found in $PATH: unknown");
    }
    assertThat(exec("/opt/tool").cause())
        .hasMessageEndingWith("\"/opt/tool\": stat /opt/tool: no such file or directory: unknown");
  }

  @Test
  @Tag("C57")
  void c57TheEndOfStandardInputEndsCat() {
    Future<Integer> done = exec("cat");
    client.in().send("one\n");
    assertThat(client.out().text()).isEqualTo("one\n");
    client.in().send("two");
    assertThat(done.isComplete()).isFalse();

    client.in().end();

    assertThat(done.result()).isZero();
    assertThat(client.out().text()).isEqualTo("one\ntwo");
  }

  @Test
  @Tag("C57")
  void c57AHundredMegabytesComeBackAsTheyWereAndNoneWaitsInMemory() {
    byte[] piece = new byte[64 * 1024];
    new Random(7).nextBytes(piece);
    Buffer sent = Buffer.buffer(piece);
    client.out().hold();
    client.out().counting();
    Future<Integer> done = exec("cat");
    int pieces = 100 * 1024 * 1024 / piece.length;
    int waited = 0;
    for (int i = 0; i < pieces; i++) {
      client.in().send(sent);
      if (client.in().untaken() > 0) {
        waited++;
        client.out().readOnce();
      }
      assertThat(client.in().untaken()).isZero();
    }
    assertThat(waited).as("times that a reader that is held slowed the sender").isGreaterThan(500);
    client.out().release();
    client.in().end();

    assertThat(done.result()).isZero();
    assertThat(client.out().count()).isEqualTo(100L * 1024 * 1024);
    assertThat(client.out().largestBacklog()).isLessThanOrEqualTo(2 * piece.length);
  }

  @Test
  void bytesThatAreNoTextStayAsTheyAre() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    exec("cat", "-");
    client.in().send(Buffer.buffer(all));
    assertThat(client.out().bytes()).isEqualTo(Buffer.buffer(all));
  }

  @Test
  void aCommandIsOverWhenItsOutputWasTaken() {
    client.out().hold();
    Future<Integer> done = exec("echo", "hi");
    assertThat(done.isComplete()).isFalse();
    client.out().release();
    assertThat(done.result()).isZero();
  }

  @Test
  void yesWritesNoMoreThanIsRead() {
    client.out().hold();
    Future<Integer> done = exec("yes", "on", "and");
    int first = client.out().bytes().length();
    client.out().readOnce();
    assertThat(client.out().bytes().length()).isEqualTo(2 * first);
    assertThat(client.out().text()).startsWith("on and\non and\n");

    client.leave();
    assertThat(done.result()).isEqualTo(141);
  }

  /** Else the thread would never get back to whoever called. */
  @Test
  void yesLetsOthersRunWhereEverythingIsTakenAtOnce() {
    Future<Integer> done =
        assertTimeoutPreemptively(Waits.LONG, () -> exec("sh", "-c", "yes > /dev/null"));
    assertThat(delays).containsExactly(1L);
    requireNonNull(alarms.remove(1)).run();
    assertThat(delays).containsExactly(1L, 1L);
    assertThat(done.isComplete()).isFalse();

    client.leave();
    assertThat(done.result()).isEqualTo(Interrupt.HANGUP);
    assertThat(alarms).isEmpty();
  }

  @Test
  void sleepTakesItsTimeAndEndsWithItsClient() {
    Future<Integer> slept = exec("sh", "-c", "sleep 1.5 0.5m && echo awake");
    assertThat(delays).containsExactly(31_500L);
    requireNonNull(alarms.remove(1)).run();
    assertThat(slept.result()).isZero();
    assertThat(client.out().text()).isEqualTo("awake\n");

    Future<Integer> left = exec("sh", "-c", "sleep 10; echo never");
    client.leave();
    assertThat(left.result()).isEqualTo(Interrupt.HANGUP);
    assertThat(alarms).isEmpty();
    assertThat(client.out().text()).isEqualTo("awake\n");
  }

  @Test
  void aCommandEndsWithItsContainer() {
    Session session = session(false);
    Future<Integer> done = session.run(List.of("cat"));
    session.kill();
    session.kill();
    assertThat(done.result()).isEqualTo(137);
    client.in().send("late");
    assertThat(client.out().text()).isEmpty();
  }

  @Test
  void aShellReadsItsScriptFromStandardInput() {
    Future<Integer> done = exec("sh");
    client.in().send("echo a\necho b; ech");
    client.in().send("o c\ncat\nthis is for cat");
    client.in().end();
    assertThat(done.result()).isZero();
    assertThat(client.out().text()).isEqualTo("a\nb\nc\nthis is for cat");
  }

  @Test
  void aScriptFromStandardInputMayEndWithoutALineAndSaysWhatIsWrong() {
    Future<Integer> done = exec("sh");
    client.in().send("echo 'two\nlines'\nexit 7");
    client.in().end();
    assertThat(done.result()).isEqualTo(7);
    assertThat(client.out().text()).isEqualTo("two\nlines\n");

    client = Client.sending();
    Future<Integer> broken = exec("sh");
    client.in().send("echo (\necho never\n");
    assertThat(broken.result()).isEqualTo(2);
    assertThat(client.err().text()).startsWith("sh: syntax error");

    client = Client.sending();
    Future<Integer> open = exec("sh");
    client.in().send("echo 'open");
    client.in().end();
    assertThat(open.result()).isEqualTo(2);
  }

  @Test
  void manyLinesNeedNoDeepStack() {
    Future<Integer> done = exec("sh");
    client.in().send("true\n".repeat(100_000) + "echo done");
    client.in().end();
    assertThat(done.result()).isZero();
    assertThat(client.out().text()).isEqualTo("done\n");
    assertThat(sh("true;".repeat(100_000))).isEqualTo("=0");
  }

  @Test
  void aLineHasAnEnd() {
    Future<Integer> done = exec("sh");
    client.in().send("x".repeat(70_000));
    assertThat(done.result()).isEqualTo(2);
    assertThat(client.err().text()).isEqualTo("sh: a line must not be longer than 65536 bytes\n");
  }

  @Test
  void shellsInOneAnotherHaveAnEnd() {
    Future<Integer> done = exec("sh");
    client.in().send("sh\n".repeat(8));
    assertThat(client.err().text()).isEqualTo("sh: more than 8 shells in one another\n");
    client.in().send("exit 1\n".repeat(7));
    assertThat(done.isComplete()).isFalse();
    client.in().send("exit 3\n");
    assertThat(done.result()).isEqualTo(3);
  }

  /** One that ran ahead of its client would hold all that the client does not read. */
  @Test
  void aScriptFromStandardInputWaitsForItsReader() {
    client.out().hold();
    Future<Integer> done = exec("sh");
    client.in().send("help\n".repeat(1000));
    client.in().send("exit 4\n");
    assertThat(client.out().largestBacklog()).isLessThan(1000);
    assertThat(client.in().untaken()).isEqualTo(1);
    client.out().release();
    assertThat(done.result()).isEqualTo(4);
    assertThat(client.out().text().lines()).hasSize(4000);
  }

  private Future<Integer> terminal(String... command) {
    client = Client.atTerminal();
    return session(true).run(List.of(command));
  }

  private void shows(String text) {
    assertThat(client.out().text()).isEqualTo(text.replace("~", "\r\n"));
  }

  @Test
  @Tag("C57")
  void c57ATerminalShowsPromptsAndWhatIsTyped() {
    Future<Integer> done = terminal("sh");
    shows("/ # ");
    client.in().send("ec");
    client.in().send("ho h\u00e9x\u007f\u007fi\r");
    shows("/ # echo h\u00e9x\b \b\b \bi~hi~/ # ");

    client.in().send("exit 3\r");

    assertThat(done.result()).isEqualTo(3);
  }

  @Test
  @Tag("C57")
  void c57TheTerminalKnowsItsSize() {
    terminal("sh");
    client.in().send("stty size\r");
    client.resize(80, 24);
    client.in().send("stty size\r");
    client.resize(132, 43);
    client.in().send("stty size; tty; stty raw; printenv TERM\r");
    shows(
        "/ # stty size~0 0~/ # stty size~24 80~/ # stty size; tty; stty raw; printenv TERM~43 132~"
            + "/dev/pts/0~stty: the simulated stty knows: stty size~xterm~/ # ");
  }

  @Test
  void ctrlCEndsWhatRunsAndKeepsTheShell() {
    Future<Integer> done = terminal("sh");
    client.in().send("sleep 100; echo never\r");
    client.in().send("\u0003");
    assertThat(alarms).isEmpty();
    client.in().send("exit 0 or \u0003echo on\r");
    shows("/ # sleep 100; echo never~^C~/ # exit 0 or ^C~/ # echo on~on~/ # ");
    client.in().send("sleep 100\r");
    client.in().send("\u0003");
    client.in().send("\u0004");
    assertThat(done.result()).isEqualTo(Interrupt.INTERRUPTED);
  }

  @Test
  void ctrlCEndsAProgramWithoutAShell() {
    Future<Integer> done = terminal("sleep", "100");
    client.in().send("\u0003");
    assertThat(done.result()).isEqualTo(130);
  }

  @Test
  void ctrlDEndsWhatReads() {
    Future<Integer> done = terminal("sh");
    for (String typed :
        List.of("cat\r", "hi\r", "\u0004", "echo back\r", "cat\r", "part\u0004\u0004")) {
      client.in().send(typed);
    }
    shows("/ # cat~hi~hi~/ # echo back~back~/ # cat~partpart/ # ");
    client.in().send("\u0004");
    assertThat(done.result()).isZero();
    assertThat(client.out().text()).endsWith("/ # \r\n");
  }

  @Test
  void anUnfinishedLineAsksForMore() {
    terminal("sh");
    client.in().send("echo 'a\r");
    client.in().send("b'\r");
    client.in().send("echo (\r");
    assertThat(client.out().text())
        .startsWith("/ # echo 'a\r\n> b'\r\na\r\nb\r\n/ # echo (\r\nsh: syntax error")
        .endsWith("\r\n/ # ");
  }

  @Test
  void aTerminalKeepsNoMoreThanItsBuffer() {
    Future<Integer> done = terminal("sleep", "1");
    client.in().send("x".repeat(5000) + "\u0015" + "\u0001\t");
    String shown = client.out().text();
    assertThat(shown).startsWith("x".repeat(Terminal.KEPT) + "\u0007");
    assertThat(shown).endsWith("\b \b^A\t");
    requireNonNull(alarms.get(1)).run();
    assertThat(done.result()).isZero();
  }

  @Test
  void aTerminalKeepsNoMoreLinesThanItsBuffer() {
    terminal("sh");
    client.in().send("sleep 1\r" + "\r".repeat(9000));
    client.in().send("\u0004".repeat(9000));
    String before = client.out().text();
    requireNonNull(alarms.get(1)).run();
    String after = client.out().text().substring(before.length());
    assertThat(after.split("/ # ", -1)).hasSize(Terminal.KEPT + 3);
  }

  @Test
  void aSlowTerminalSlowsTheKeysDown() {
    terminal("cat");
    client.out().hold();
    for (int i = 0; i < 200; i++) {
      client.in().send("x".repeat(1000) + "\r");
    }
    assertThat(client.in().untaken()).isGreaterThan(100);
    assertThat(client.out().largestBacklog()).isLessThan(70_000);
    client.out().release();
    assertThat(client.in().untaken()).isZero();
    assertThat(client.out().bytes().length()).isEqualTo(200 * 2 * 1002);
  }

  @Test
  void aTerminalThatHangsUpEndsItsShell() {
    Future<Integer> done = terminal("sh");
    client.in().end();
    assertThat(done.result()).isZero();

    Future<Integer> gone = terminal("sh");
    client.in().send("sh\rsleep 5\r");
    client.leave();
    assertThat(gone.result()).isEqualTo(Interrupt.HANGUP);
    assertThat(alarms).isEmpty();
  }

  @Test
  void aTerminalWithoutKeysIsAtItsEnd() {
    client = Client.listening();
    assertThat(session(true).run(List.of("sh")).result()).isZero();
  }

  /** Whatever a script is made of, it is parsed or refused, and runs without an error of ours. */
  @Test
  void noTextBreaksTheParser() {
    Random random = new Random(11);
    String[] pieces = {
      "echo",
      " ",
      "'",
      "\"",
      "\\",
      "$",
      "{",
      "}",
      "X",
      "=",
      ";",
      "&&",
      "||",
      "\n",
      "#",
      ">&2",
      "2>/dev/null",
      "<",
      "|",
      "&",
      "(",
      "`",
      "?",
      "a b",
      "exit 1",
      "\u00e4",
      "\t",
      "\f",
      "false",
      "-n"
    };
    for (int i = 0; i < 20_000; i++) {
      StringBuilder script = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        script.append(pieces[random.nextInt(pieces.length)]);
      }
      client = Client.sending();
      Future<Integer> done = exec("sh", "-c", script.toString());
      assertThat(done.succeeded()).as("seed 11, case %d: %s", i, script).isTrue();
      assertThat(done.result()).isBetween(0, 255);
    }
  }
}
