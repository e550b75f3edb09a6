package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.LogRequest.Stream;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.tck.Client;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logs, commands and ports of simulated containers, on fake time. */
class StreamsTest {
  private final Lab lab = Lab.with();
  private final Client client = Client.sending();

  private static ContainerTarget target(PodView pod, ContainerRecord record) {
    return new ContainerTarget(pod.ref(), pod.nodeName(), record.name(), "")
        .instance(record.id(), new ContainerTarget.Facts(pod, record.state()));
  }

  /** All of a log from its beginning on. */
  private static LogRequest whole(ContainerTarget target, boolean follow) {
    return new LogRequest(target, follow, false, false, null, null, null, Stream.ALL);
  }

  private static LogRequest tail(ContainerTarget target, long lines, Stream stream) {
    return new LogRequest(target, false, false, false, null, lines, null, stream);
  }

  private Future<Void> follow(PodView pod, ContainerRecord record) {
    return lab.runtime
        .streams()
        .logs(whole(target(pod, record), true), client.out(), client.gone());
  }

  /** What somebody else reads. */
  private static List<String> read(Lab lab, LogRequest request) {
    Client reader = Client.listening();
    Lab.get(lab.runtime.streams().logs(request, reader.out(), reader.gone()));
    return reader.out().text().lines().toList();
  }

  private List<String> lines() {
    return client.out().text().lines().toList();
  }

  private Future<Integer> exec(PodView pod, ContainerRecord record, String... command) {
    ExecRequest request = new ExecRequest(target(pod, record), List.of(command), false);
    return lab.runtime.streams().exec(request, client);
  }

  private static void refused(Future<?> future, Kind kind, String message) {
    assertThat(future.failed()).isTrue();
    assertThat(ProviderException.kindOf(future.cause())).isEqualTo(kind);
    assertThat(future.cause()).hasMessage(message);
  }

  @Test
  @Tag("C56")
  void c56ALogIsFollowedUntilItsContainerEnds() {
    PodView pod = Pods.pod("web").annotate("log-rate", "1/s").view();
    ContainerRecord record = lab.run(pod);
    lab.time.advance(Duration.ofSeconds(3));

    Future<Void> done = follow(pod, record);
    int before = lines().size();
    lab.time.advance(Duration.ofSeconds(5));

    assertThat(before).isBetween(3, 5);
    assertThat(lines()).hasSizeBetween(before + 4, before + 6);
    assertThat(done.isComplete()).isFalse();

    Lab.get(lab.stop(pod, Duration.ofSeconds(1)));

    assertThat(done.succeeded()).isTrue();
    assertThat(lines().get(0)).isEqualTo("container main started");
    assertThat(lines().get(lines().size() - 1)).isEqualTo("container main ended with exit code 0");
    assertThat(client.out().ended()).as("it is not for the provider to end").isFalse();
  }

  @Test
  void whatWasFollowedIsWhatIsThereAfterwards() {
    PodView pod = Pods.pod("web").annotate("log-rate", "7/s").view();
    ContainerRecord record = lab.run(pod);
    follow(pod, record);
    lab.time.advance(Duration.ofMillis(8_450));
    lab.remove(pod);
    List<String> followed = lines();

    assertThat(lab.last().state()).isInstanceOf(Terminated.class);
    assertThat(read(lab, whole(target(pod, lab.last()), false))).isEqualTo(followed);
  }

  @Test
  @Tag("C56")
  void c56LogsOfOneWhoseSandboxIsGoneAndOfTheOneBeforeAreStillThere() {
    PodView pod =
        Pods.pod("job").ownedBy("Job").annotate("run-for", "2s").annotate("log-rate", "0").view();
    lab.run(pod);
    lab.time.advance(Duration.ofSeconds(2));
    ContainerRecord first = lab.last();
    lab.start(pod, "main", 1);

    Lab.get(follow(pod, first));
    assertThat(lines())
        .containsExactly("container main started", "container main ended with exit code 0");

    assertThat(read(lab.restarted(), whole(target(pod, first), false))).isEqualTo(lines());
  }

  @Test
  void ofALogThatBeganAnewTheLatestFileIsShownAndFollowed() {
    PodView pod = Pods.pod("web").annotate("log-rate", "1/s", "log-line", "{n}").view();
    ContainerRecord record = lab.run(pod);
    // 43 bytes a line with a number of one digit
    lab.runtime.logSize(node -> 43 * 4);
    lab.time.advance(Duration.ofSeconds(10));

    Future<Void> following = follow(pod, record);
    assertThat(lines()).containsExactly("8", "9", "10");
    lab.time.advance(Duration.ofSeconds(3));
    assertThat(lines()).containsExactly("8", "9", "10", "11", "12", "13");
    client.leave();
    Lab.get(following);

    assertThat(read(lab, tail(target(pod, record), 100, Stream.ALL))).containsExactly("12", "13");
  }

  @Test
  @Tag("C56")
  void c56LinesAreChosenAndCut() {
    PodView pod =
        Pods.pod("web")
            .annotate("log-rate", "1/s")
            .annotate("log-line", "{n} of {pod}")
            .annotate("main.log-error-every", "2")
            .view();
    ContainerRecord record = lab.run(pod);
    lab.time.advance(Duration.ofSeconds(10));

    assertThat(read(lab, tail(target(pod, record), 3, Stream.STDERR)))
        .hasSize(3)
        .allMatch(line -> line.matches("(4|6|8|10) of web"));

    Instant since = FakeTime.START.plusSeconds(4);
    LogRequest cut =
        new LogRequest(target(pod, record), true, false, true, since, null, 70L, Stream.ALL);
    Future<Void> done = lab.runtime.streams().logs(cut, client.out(), client.gone());
    assertThat(done.succeeded()).as("a log that is cut is followed no longer").isTrue();
    assertThat(client.out().text())
        .hasSize(70)
        .matches("(?s)2026-01-01T00:00:04\\.[0-9]{9}Z 5 of web\n2026-01-01T00:00:05.*");
  }

  @Test
  void aLogWithoutLimitIsReadAsFastAsItsReader() {
    PodView pod = Pods.pod("web").annotate("log-rate", "unlimited").view();
    ContainerRecord record = lab.run(pod);
    lab.time.advance(Duration.ofSeconds(1));
    client.out().hold();
    Future<Void> done = follow(pod, record);

    for (int i = 0; i < 20; i++) {
      client.out().readOnce();
    }

    assertThat(client.out().count()).isBetween(20 * 32_000L, 22 * 33_000L);
    assertThat(client.out().largestBacklog()).isLessThan(34_000);
    client.leave();
    assertThat(done.succeeded()).isTrue();
    long read = client.out().count();
    lab.time.advance(Duration.ofSeconds(5));
    assertThat(client.out().count()).isEqualTo(read);
  }

  @Test
  void aReaderThatLeavesIsForgotten() {
    PodView pod = Pods.pod("web").view();
    ContainerRecord record = lab.run(pod);
    int timers = lab.time.pending();
    Future<Void> done = follow(pod, record);
    Future<Integer> slept = exec(pod, record, "sleep", "5");
    assertThat(lab.time.pending()).isEqualTo(timers + 2);

    client.leave();

    assertThat(done.succeeded()).isTrue();
    assertThat(slept.isComplete()).isTrue();
    assertThat(lab.time.pending()).isEqualTo(timers);
  }

  @Test
  void aReaderIsReleasedWithItsNodeAndWithTheRuntime() {
    PodView pod = Pods.pod("web").view();
    ContainerRecord record = lab.run(pod);
    Future<Void> log = follow(pod, record);
    Future<Integer> slept = exec(pod, record, "sleep", "5");

    Lab.get(lab.runtime.release("node-1"));

    assertThat(log.succeeded()).isTrue();
    assertThat(slept.result()).isEqualTo(137);
    assertThat(lines()).noneMatch(line -> line.contains("ended"));

    PodView other = Pods.pod("other").view();
    Future<Void> second = follow(other, lab.run(other));
    Lab.get(lab.runtime.stop());
    assertThat(second.succeeded()).isTrue();
  }

  @Test
  void aReaderIsToldWhenTheSandboxIsLost() {
    PodView pod = Pods.pod("web").view();
    Future<Void> log = follow(pod, lab.run(pod));
    lab.runtime.loseSandbox(pod.ref());
    assertThat(log.succeeded()).isTrue();
  }

  @Test
  @Tag("C57")
  void c57ACommandSeesItsContainerAndEndsWithIt() {
    EnvironmentView environment =
        new EnvironmentView(
            List.of(
                new EnvironmentView.Variable("COLOUR", "blue", EnvironmentView.LITERAL),
                new EnvironmentView.Variable(
                    "SECRET",
                    "",
                    new EnvironmentView.ValueFrom.Key(ReferredKind.SECRET, "s", "k", false))),
            List.of());
    PodView pod =
        Pods.pod("web")
            .container(
                new ContainerView(
                    "main", Pods.IMAGE, "Always", null, environment, ResourcesView.NONE, null))
            .view();
    ContainerRecord record = lab.run(pod);

    assertThat(exec(pod, record, "sh", "-c", "hostname; env; exit 3").result()).isEqualTo(3);
    assertThat(client.out().text())
        .startsWith("web\n")
        .contains("\nHOSTNAME=web\n", "\nCOLOUR=blue\n")
        .doesNotContain("SECRET", "KUBERNETES");

    Future<Integer> cat = exec(pod, record, "cat");
    Lab.get(lab.stop(pod, Duration.ofSeconds(1)));
    assertThat(cat.result()).isEqualTo(137);
  }

  @Test
  void attachShowsWhatComesAndSendsBackWhatIsTyped() {
    PodView pod = Pods.pod("web").annotate("log-rate", "1/s", "exit-code", "4").view();
    ContainerRecord record = lab.run(pod);
    lab.time.advance(Duration.ofSeconds(3));
    Future<Void> done = lab.runtime.streams().attach(target(pod, record), false, client);
    assertThat(lines()).isEmpty();

    client.in().send("hello\n");
    lab.time.advance(Duration.ofSeconds(2));

    assertThat(lines()).hasSizeBetween(2, 4).startsWith("hello");
    Lab.get(lab.stop(pod, Duration.ZERO));
    assertThat(done.succeeded()).isTrue();
    assertThat(client.out().text()).endsWith("container main ended with exit code 137\n");
  }

  /** Behind {@code kubectl run -i … -- echo hi}, which would wait without a word. */
  @Test
  void whoIsAttachedToAContainerWithACommandIsToldThatItDoesNotRun() {
    CommandView echo = new CommandView(List.of(), List.of("echo", "hi"));
    PodView pod =
        Pods.pod("web")
            .container(Pods.container("main").withCommand(echo))
            .annotate("log-rate", "0")
            .view();
    ContainerRecord record = lab.run(pod);
    Client listening = Client.listening();
    Future<Void> listens = lab.runtime.streams().attach(target(pod, record), false, listening);
    Future<Void> types = lab.runtime.streams().attach(target(pod, record), false, client);

    assertThat(client.err().text())
        .startsWith("vertlet: this container is simulated")
        .endsWith("\n");
    assertThat(client.out().text()).doesNotContain("simulated");
    assertThat(listening.err().text()).isEmpty();
    Lab.get(lab.runtime.stopContainer(pod.ref(), record.id(), Duration.ZERO));
    assertThat(listens.succeeded() && types.succeeded()).isTrue();
  }

  @Test
  void attachAtATerminalEndsLinesAsTerminalsDo() {
    PodView pod = Pods.pod("web").annotate("log-rate", "0").view();
    ContainerRecord record = lab.run(pod);
    Client terminal = Client.atTerminal();
    Future<Void> done = lab.runtime.streams().attach(target(pod, record), true, terminal);
    terminal.in().send("hi\r");
    assertThat(terminal.out().text()).endsWith("hi\r\n");
    terminal.leave();
    assertThat(done.succeeded()).isTrue();
  }

  @Test
  void whatNobodyKnowsIsNotFound() {
    PodView pod = Pods.pod("web").view();
    ContainerRecord record = lab.run(pod);
    ContainerTarget stranger = target(Pods.pod("none").view(), record);
    ContainerTarget bare = new ContainerTarget(pod.ref(), "node-1", "main", record.id());
    String message = "the simulated runtime has no container " + record.id();
    PodStreams streams = lab.runtime.streams();

    for (ContainerTarget target : List.of(stranger, bare)) {
      refused(
          streams.logs(whole(target, false), client.out(), client.gone()), Kind.NOT_FOUND, message);
    }
    refused(
        streams.exec(new ExecRequest(stranger, List.of("sh"), false), client),
        Kind.NOT_FOUND,
        message);
    refused(streams.attach(stranger, false, client), Kind.NOT_FOUND, message);
    refused(
        streams.portForward(stranger.pod(), 80, client),
        Kind.NOT_FOUND,
        "pod default/none has no sandbox");
    assertThat(streams.exec(new ExecRequest(bare, List.of("true"), false), client).result())
        .isZero();
  }

  private Future<Void> forward(PodView pod, int port) {
    return lab.runtime.streams().portForward(pod.ref(), port, client);
  }

  /** A port of a pod of which nothing is said. */
  private Future<Void> forwardTo(int port) {
    PodView pod = Pods.pod("web").view();
    lab.run(pod);
    return forward(pod, port);
  }

  @Test
  @Tag("C59")
  void c59APortSendsBackWhatComes() {
    Future<Void> done = forwardTo(7);
    client.in().send("P");
    assertThat(client.out().text()).as("may become POST").isEmpty();
    client.in().send("ing");
    assertThat(client.out().text()).isEqualTo("Ping");
    client.in().end();
    assertThat(done.succeeded()).isTrue();
    assertThat(client.out().ended()).isTrue();
  }

  @Test
  void whoStopsInTheMiddleGetsWhatItSent() {
    forwardTo(7);
    client.in().send("GE");
    client.in().end();
    assertThat(client.out().text()).isEqualTo("GE");
  }

  @Test
  @Tag("C59")
  void c59APortAnswersHttpAgainAndAgain() {
    Future<Void> done = forwardTo(8080);
    String answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 27\r\n"
            + "Connection: %s\r\n\r\n";
    String text = "pod default/web, port 8080\n";
    client.in().send("GET / HTTP/1.1\r\nHost: x\r\n\r\nHEAD /a HTTP/1.1\r\n\r\n");
    client.in().send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nab");
    String kept = answer.formatted("keep-alive");
    assertThat(client.out().text()).isEqualTo(kept + text + kept + "HTTP/1.1 100 Continue\r\n\r\n");
    client.in().send("cdeGET / HTTP/1.1\r\nconnection: Close\r\n\r\nignored");
    assertThat(client.out().text())
        .endsWith("\r\n\r\n" + kept + text + answer.formatted("close") + text);
    assertThat(done.succeeded()).isTrue();
  }

  @Test
  void requestsThatCannotBeReadEndTheConnection() {
    PodView pod = Pods.pod("web").annotate("ports", "80:http").view();
    lab.run(pod);
    for (String[] row :
        new String[][] {
          {"GET /\r\n\r\n", "400"},
          {"nonsense\r\n\r\n", "400"},
          {"GET / HTTP/2.0\r\n\r\n", "400"},
          {"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "400"},
          {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "411"},
          {"GET / HTTP/1.1\r\nX: " + "x".repeat(20_000), "431"},
          {"GET / HTTP/1.0\r\n\r\n", "200"},
        }) {
      Client one = Client.sending();
      Future<Void> done = lab.runtime.streams().portForward(pod.ref(), 80, one);
      one.in().send(row[0]);
      assertThat(one.out().text()).as(row[0]).startsWith("HTTP/1.1 " + row[1] + " ");
      assertThat(done.succeeded()).as(row[0]).isTrue();
    }
  }

  @Test
  @Tag("C59")
  void c59OnlyPortsOfTheRuleListen() {
    PodView pod = Pods.pod("web").annotate("ports", "80:http,7:echo").view();
    ContainerRecord record = lab.run(pod);
    refused(
        forward(pod, 81), Kind.TEMPORARY, "dial tcp4 127.0.0.1:81: connect: connection refused");
    Future<Void> echo = forward(pod, 7);
    client.in().send("GET ");
    assertThat(client.out().text()).isEqualTo("GET ");

    Lab.get(lab.stop(pod, Duration.ofSeconds(1)));
    assertThat(echo.succeeded()).as("the pod has ended").isTrue();
    refused(forward(pod, 7), Kind.TEMPORARY, "dial tcp4 127.0.0.1:7: connect: connection refused");
  }

  @Test
  void aSlowClientSlowsItsPortDown() {
    PodView pod = Pods.pod("web").annotate("ports", "7:echo").view();
    lab.run(pod);
    Future<Void> done = forward(pod, 7);
    client.out().hold();
    for (int i = 0; i < 100; i++) {
      client.in().send("x".repeat(10_000));
    }
    assertThat(client.in().untaken()).isGreaterThan(80);
    client.out().release();
    assertThat(client.out().count()).isEqualTo(1_000_000);
    client.leave();
    assertThat(done.succeeded()).isTrue();
  }
}
