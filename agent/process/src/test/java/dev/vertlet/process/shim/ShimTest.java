package dev.vertlet.process.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.host.proc.ProcessStat;
import dev.vertlet.process.MarkedProcesses;
import dev.vertlet.process.ShimLab;
import dev.vertlet.process.ShimLab.Client;
import dev.vertlet.process.ShimLab.Container;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(OS.LINUX)
public final class ShimTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  @SuppressWarnings("NullAway.Init") // set before each test
  private ShimLab lab;

  @BeforeEach
  void openLab() throws IOException {
    lab = new ShimLab(root);
  }

  @AfterEach
  void closeLab() throws IOException {
    lab.close();
  }

  private static List<String> log(Container container) throws IOException {
    LogSegments segments = new LogSegments(container.directory());
    List<String> lines = new ArrayList<>();
    for (long number = segments.oldest(); number < segments.newest(); number++) {
      lines.addAll(Files.readAllLines(container.directory().resolve("log.%06d".formatted(number))));
    }
    lines.addAll(Files.readAllLines(container.directory().resolve(LogSegments.CURRENT)));
    return lines;
  }

  private static List<String> texts(List<String> lines) {
    return lines.stream().map(line -> line.substring(ShimLab.TEXT)).toList();
  }

  /** What {@code seq} writes. */
  public static String numbers(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Processes of a container that are left; they are killed. */
  private static int left(Container container) throws IOException {
    return MarkedProcesses.kill(container.id());
  }

  @ParameterizedTest
  @CsvSource({"exit 0, 0", "exit 3, 3", "kill -9 $$, 137", "kill -15 $$, 143"})
  void keepsTheExitCodeOnDisk(String script, int code) throws IOException {
    Container container = lab.start("sh", "-c", script);

    KeyValues end = container.end();

    assertThat(container.started()).isEqualTo(new Shim.Started(0, "ok"));
    assertThat(end.number("code")).isEqualTo(code);
    assertThat(end.time("finishedAt")).isNotNull();
    await().until(() -> !Files.exists(container.socket()));
    assertThat(container.directory()).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void tellsAnEndToItsWatchers() throws Exception {
    Container container = lab.start("sleep", "1000");
    Client watcher = lab.open(container, Message.of(Message.WATCH));
    assertThat(KeyValues.parse(watcher.next().text())).isEqualTo(container.state());

    watcher.send(ShimClient.stop(60_000));

    assertThat(KeyValues.parse(watcher.until(Message.END).text())).isEqualTo(container.end());
  }

  @ParameterizedTest
  @CsvSource({
    "no-such-program, exec: \"no-such-program\": executable file not found in $PATH",
    "/no/such/program, exec: \"/no/such/program\": stat /no/such/program: no such file or"
        + " directory",
    "/etc/passwd, exec: \"/etc/passwd\": permission denied",
    "/etc, exec: \"/etc\": is a directory",
  })
  void saysAsRuncWhyAProgramDoesNotStart(String program, String reason) throws IOException {
    Container container = lab.start(program);

    String message = "unable to start container process: " + reason;
    assertThat(container.started()).isEqualTo(new Shim.Started(1, message));
    assertThat(container.end().number("code")).isEqualTo(128);
    assertThat(container.end().text("error")).isEqualTo(message);
    assertThat(container.socket()).doesNotExist();
  }

  @Test
  void doesNotStartInAMissingDirectory() throws IOException {
    Container container = lab.start(lab.definition("true").with("cwd", "/no/such"));

    assertThat(container.started().output())
        .endsWith("chdir to cwd (\"/no/such\") failed: no such file or directory");
  }

  @Test
  void refusesADefinitionThatItDoesNotUnderstand() throws IOException {
    Container container = lab.start(lab.definition("true").with("speed", "fast"));

    assertThat(container.started()).isEqualTo(new Shim.Started(2, "invalid definition: speed"));
  }

  @Test
  @Tag("P03")
  void killsEveryDescendantWhenTheGraceIsOver() throws IOException {
    Container container =
        lab.start(
            "sh",
            "-c",
            "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 1000 & sleep 1000' &);"
                + " sleep 1000 & echo up; while :; do sleep 1; done");
    await().until(() -> texts(log(container)).equals(List.of("up")));

    KeyValues end = lab.stop(container, 100);

    assertThat(end.number("code")).isEqualTo(137);
    assertThat(end.number("leftProcesses")).isZero();
    assertThat(left(container)).isZero();
  }

  @Test
  void endsDescendantsWithTheFirstProcess() throws IOException {
    Container container = lab.start("sh", "-c", "(setsid sleep 1000 &); sleep 1000 & exit 5");

    assertThat(container.end().number("code")).isEqualTo(5);
    assertThat(left(container)).isZero();
  }

  @Test
  void theShortestGraceCounts() throws IOException {
    Container container = lab.start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done");
    await().until(() -> texts(log(container)).equals(List.of("up")));
    lab.open(container, Message.of(Message.WATCH)).send(ShimClient.stop(3_600_000));

    assertThat(lab.stop(container, 0).number("code")).isEqualTo(137);
  }

  @Test
  void theFirstProcessDoesNotOutliveItsShim() throws IOException {
    Container container = lab.start("sleep", "1000");
    ShimState state = ShimState.of(container.state());

    ProcessHandle.of(state.shim()).orElseThrow().destroyForcibly();

    await().until(() -> !Proc.runs(state.pid(), state.pidStart()));
    assertThat(container.exit()).isNull();
  }

  @Test
  void losesNoLineWhenTheLogIsRotated() throws IOException {
    int count = 100_000;
    Container container =
        lab.start(
            lab.definition("seq", Integer.toString(count))
                .with("logSize", 500_000)
                .with("logFiles", 1000));
    container.end();

    assertThat(new LogSegments(container.directory()).newest()).isGreaterThan(5);
    assertThat(String.join("\n", texts(log(container))) + "\n").isEqualTo(numbers(count));
  }

  @Test
  void keepsOnlySoManyLogFiles() throws IOException {
    Container container =
        lab.start(lab.definition("seq", "100000").with("logSize", 100_000).with("logFiles", 3));
    container.end();

    LogSegments segments = new LogSegments(container.directory());
    assertThat(segments.newest() - segments.oldest()).isEqualTo(2);
    assertThat(texts(log(container))).endsWith("99999", "100000");
  }

  @Test
  void cutsLongLinesAndMarksThoseWithoutAnEnd() throws IOException {
    Container container =
        lab.start(
            "sh", "-c", "head -c 40000 /dev/zero | tr '\\0' x; echo; echo no >&2; printf end");
    container.end();

    List<String> out = log(container).stream().filter(line -> line.contains(" stdout ")).toList();
    assertThat(out.stream().map(line -> line.substring(31, 39)).toList())
        .containsExactly("stdout P", "stdout P", "stdout F", "stdout P");
    assertThat(texts(out).stream().mapToInt(String::length)).containsExactly(16384, 16384, 7232, 3);
    assertThat(log(container)).anyMatch(line -> line.endsWith(" stderr F no"));
  }

  @Test
  void aTerminalHasTheSizeOfItsClient() throws Exception {
    Container container =
        lab.start(
            lab.definition("sh", "-c", "read line; stty size; tty")
                .with("tty", "1")
                .with("stdin", "1"));
    Client client = lab.attach(container);
    client.send(ShimClient.resize(132, 43));
    client.input("\n");

    client.until(Message.END);

    assertThat(client.output()).contains("43 132").contains("/dev/pts/");
    assertThat(container.end().number("code")).isZero();
  }

  @Test
  void allAttachedClientsSeeTheOutput() throws Exception {
    Container container = lab.start(lab.definition("cat").with("stdin", "1"));
    Client first = lab.attach(container);
    Client second = lab.attach(container);
    first.until(Message.ACCEPTED);
    second.until(Message.ACCEPTED);

    first.input("one\n");
    second.untilOutput("one\n");
    second.input("two\n");
    first.untilOutput("two\n");
    first.leave();
    second.input("three\n");
    second.untilOutput("three\n");

    assertThat(first.output()).isEqualTo("one\ntwo\n");
    assertThat(texts(log(container))).containsExactly("one", "two", "three");
  }

  @Test
  void aStandardInputForOneClientEndsWithIt() throws Exception {
    Container container =
        lab.start(
            lab.definition("sh", "-c", "cat; exit 4").with("stdin", "1").with("stdinOnce", "1"));
    Client client = lab.attach(container);
    client.input("all\n");
    client.untilOutput("all\n");

    client.leave();

    assertThat(container.end().number("code")).isEqualTo(4);
  }

  @Test
  void commandsHaveTheirOwnStreamsAndCode() throws Exception {
    Container container = lab.start("sleep", "1000");
    Client client = lab.execute(container, Message.WITH_STDIN, "sh", "-c", "cat; exit 9");
    client.until(Message.ACCEPTED);
    client.input("through");
    client.send(Message.of(Message.INPUT_END));

    assertThat(KeyValues.parse(client.until(Message.END).text()).number("code")).isEqualTo(9);
    assertThat(client.output()).isEqualTo("through");
    assertThat(log(container)).isEmpty();
  }

  @Test
  void aCommandInATerminalHasItsSize() throws Exception {
    Container container = lab.start("sleep", "1000");
    Client client =
        lab.execute(
            container,
            Message.WITH_STDIN | Message.WITH_TERMINAL,
            "sh",
            "-c",
            "read line; stty size");
    client.send(ShimClient.resize(99, 11));
    client.input("\n");

    client.until(Message.END);

    assertThat(client.output()).contains("11 99");
  }

  @Test
  void allOutputOfACommandArrives() throws Exception {
    Container container = lab.start("sleep", "1000");
    Client client = lab.execute(container, 0, "seq", "1000000");

    client.until(Message.END);

    assertThat(client.output()).isEqualTo(numbers(1_000_000));
  }

  @Test
  void aCommandEndsWithItsClient() throws Exception {
    Container container = lab.start("sleep", "1000");
    Client client = lab.execute(container, 0, "sh", "-c", "echo $$; sleep 2000");
    client.untilOutput("\n");
    long pid = Long.parseLong(client.output().strip());

    client.leave();

    await().until(() -> Proc.stat(pid) == null);
    assertThat(container.exit()).isNull();
  }

  @Test
  void aCommandThatDoesNotStartIsRefused() throws Exception {
    Container container = lab.start("sleep", "1000");

    Message answer = lab.execute(container, 0, "no-such-program").next();

    assertThat(answer.type()).isEqualTo(Message.REFUSED);
    assertThat(answer.text())
        .isEqualTo(
            "unable to start container process:"
                + " exec: \"no-such-program\": executable file not found in $PATH");
  }

  @Test
  void aCommandThatLeavesProcessesBehindEndsAtOnce() throws Exception {
    Container container = lab.start("sleep", "1000");
    Client client = lab.execute(container, 0, "sh", "-c", "sleep 1000 & echo done");

    client.until(Message.END);

    assertThat(client.output()).isEqualTo("done\n");
  }

  @Test
  void setsUserGroupsAndLimits() throws IOException {
    Assumptions.assumeTrue(Proc.user() == 0, "only root can change users");
    Container container =
        lab.start(
            lab.definition("sh", "-c", "id -u; id -g; id -G; ulimit -n; pwd; umask")
                .with("uid", 12345)
                .with("gid", 23456)
                .withAll("group", List.of(23456, 34567))
                .with("limit", "NOFILE:77:88")
                .with("cwd", "/tmp"));
    container.end();

    assertThat(texts(log(container)))
        .containsExactly("12345", "23456", "23456 34567", "77", "/tmp", "0022");
  }

  @Test
  void changesTheRoot() throws IOException {
    Assumptions.assumeTrue(Proc.user() == 0, "only root can change the root");
    Path image = Files.createDirectory(root.resolve("image"));

    Container container = lab.start(lab.definition("sh").with("root", image));

    assertThat(container.started().output()).endsWith("executable file not found in $PATH");
  }

  @Test
  void aFullDiskLosesLinesAndNotTheEnd() throws IOException {
    Container container = lab.startOnFullDisk("sh", "-c", "echo one; echo two; exit 4");

    assertThat(container.end().number("code")).isEqualTo(4);
    assertThat(container.end().number("droppedLines")).isEqualTo(2);
  }

  @Test
  void aHeldShimIsWaitedForByTheAgent() throws IOException {
    try (ShimLab held = new ShimLab(Files.createDirectory(root.resolve("held")), true)) {
      Container container = held.start("sh", "-c", "exit 3");
      ShimState state = ShimState.of(container.state());

      assertThat(container.started()).isEqualTo(new Shim.Started(0, "ok"));
      assertThat(container.end().number("code")).isEqualTo(3);
      await().until(() -> Proc.stat(state.shim()) == null);
      assertThat(held.start("no-such-program").started().code()).isEqualTo(1);
    }
  }

  @Test
  void whatAKilledHeldShimLeavesIsWaitedForToo() throws IOException {
    try (ShimLab held = new ShimLab(Files.createDirectory(root.resolve("held")), true)) {
      ShimState state = ShimState.of(held.start("sleep", "1000").state());
      ProcessStat shim = Objects.requireNonNull(Proc.stat(state.shim()));
      ProcessStat guard = Objects.requireNonNull(Proc.stat(shim.parent()));
      assertThat(guard.parent()).isEqualTo(ProcessHandle.current().pid());

      ProcessHandle.of(state.shim()).orElseThrow().destroyForcibly();

      for (long each : List.of(state.shim(), state.pid(), guard.pid())) {
        await().until(() -> Proc.stat(each) == null);
      }
    }
  }

  @Test
  void needsLittleMemory() throws IOException {
    Container container = lab.start("sleep", "1000");

    String rollup =
        Files.readString(Path.of("/proc", container.state().text("shim"), "smaps_rollup"));

    long kib =
        rollup
            .lines()
            .filter(line -> line.startsWith("Pss:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .sum();
    assertThat(kib).isBetween(1L, 1024L);
  }
}
