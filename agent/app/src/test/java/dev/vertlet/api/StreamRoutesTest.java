package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.leaks.WatchesLeaks;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.testsupport.TestHttp.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.streams.WriteStream;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions over WebSockets and TLS, as providers end them and as they misbehave. */
@ExtendWith(VertxExtension.class)
@WatchesLeaks
class StreamRoutesTest {
  private static final String COMMAND = "/exec/default/pod-of-n0/c?command=sh&output=1";

  private static ServerLab lab;

  @BeforeAll
  static void start(Vertx vertx) throws Exception {
    lab = ServerLab.start(vertx, "{}", 1);
  }

  @BeforeEach
  void forget() {
    lab.forget();
  }

  private static Session session(String path) throws Exception {
    return Session.open(lab, path);
  }

  /** Fails once a session has begun. */
  private static final class Failing implements PodStreams {
    private <T> Future<T> fail() {
      return Future.failedFuture(new IllegalStateException("the back end is gone"));
    }

    @Override
    public Future<Integer> exec(ExecRequest request, ContainerIo io) {
      return fail();
    }

    @Override
    public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
      return fail();
    }

    @Override
    public Future<Void> portForward(PodRef pod, int port, Connection connection) {
      return fail();
    }
  }

  @ParameterizedTest
  @CsvSource({"exec, error executing command in container", "attach, error attaching to container"})
  void aSessionThatFailsSaysSoInAKubeletsWords(String route, String words) throws Exception {
    lab.provider.sessions = new Failing();

    String status = session("/" + route + "/default/pod-of-n0/c?output=1").error();

    assertThat(status)
        .contains("\"message\":\"Internal error occurred: " + words + ": the back end is gone\"")
        .contains("\"reason\":\"InternalError\"", "\"code\":500");
  }

  @Test
  void aPortThatCannotBeReachedIsToldInAKubeletsWords() throws Exception {
    lab.provider.sessions = new Failing();

    Session session = session("/portForward/default/pod-of-n0?port=80");

    session.ended();
    assertThat(session.text(1))
        .isEqualTo(
            "P\0error forwarding port 80 to pod pod-of-n0, uid uid-of-pod-of-n0:"
                + " the back end is gone");
  }

  /** Says what it was given. */
  private static final class Joined implements PodStreams {
    @Override
    public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
      String said = "tty=" + tty + " stderr=" + (io.stderr() != null);
      requireNonNull(io.stdout()).write(Buffer.buffer(said));
      return Future.succeededFuture();
    }
  }

  @Test
  void whatWasAttachedToEndsWellHoweverItEnded() throws Exception {
    lab.provider.sessions = new Joined();

    Session session = session("/attach/default/pod-of-n0/c?output=1&error=1");

    assertThat(session.error()).isEqualTo("{\"metadata\":{},\"status\":\"Success\"}");
    assertThat(session.text(1)).isEqualTo("tty=false stderr=true");
    assertThat(session.text(2)).isEmpty();
  }

  /** Whether a process has a terminal is settled when it starts, not by who joins it. */
  @ParameterizedTest
  @CsvSource({
    "c, tty=1, tty=false stderr=false",
    "c, tty=0, tty=false stderr=true",
    "debugger, tty=1, tty=true stderr=false",
    "debugger, tty=0, tty=true stderr=false",
  })
  void attachTakesTheTerminalThatTheContainerHas(String container, String query, String said)
      throws Exception {
    lab.provider.sessions = new Joined();

    Session session =
        session("/attach/default/pod-of-n0/" + container + "?output=1&error=1&" + query);

    assertThat(session.error()).isEqualTo("{\"metadata\":{},\"status\":\"Success\"}");
    assertThat(session.text(1)).isEqualTo(said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"debugger", "init"})
  void commandsRunInContainersOfEveryKind(String container) throws Exception {
    Session session = session("/exec/default/pod-of-n0/" + container + "?command=sh&output=1");

    assertThat(session.error()).contains("Success");
    assertThat(lab.provider.execs.get(0).target().container()).isEqualTo(container);
  }

  /** What nobody should do to a stream. */
  enum Mischief {
    THROWS,
    NO_FUTURE,
    NO_CODE,
    HANGS,
    TALKS_ON,
    FAILS_WITHOUT_WORDS
  }

  /** Misbehaves in its first session; the next ones are well. */
  private static final class Hostile implements PodStreams {
    private final Mischief mischief;
    final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private boolean done;

    Hostile(Mischief mischief) {
      this.mischief = mischief;
    }

    @SuppressWarnings("NullAway") // that is the mischief
    private <T> Future<T> misbehave(
        @Nullable T good, @Nullable WriteStream<Buffer> out, Future<Void> gone) {
      if (done) {
        return Future.succeededFuture(good);
      }
      done = true;
      return switch (mischief) {
        case THROWS -> throw new StackOverflowError("too deep");
        case NO_FUTURE -> null;
        case NO_CODE -> Future.succeededFuture(null);
        case HANGS -> {
          gone.onComplete(left -> heard.add("gone"));
          yield Future.future(never -> heard.add("begun"));
        }
        case TALKS_ON -> {
          Promise<T> promise = Promise.promise();
          promise.complete(good);
          promise.future().onComplete(v -> talkOn(requireNonNull(out)));
          yield promise.future();
        }
        case FAILS_WITHOUT_WORDS -> Future.failedFuture(new RuntimeException());
      };
    }

    private void talkOn(WriteStream<Buffer> out) {
      for (int i = 0; i < 3; i++) {
        out.write(Buffer.buffer("late"));
        out.end();
      }
    }

    @Override
    public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
      return misbehave(null, out, gone);
    }

    @Override
    public Future<Integer> exec(ExecRequest request, ContainerIo io) {
      return misbehave(0, io.stdout(), io.gone());
    }

    @Override
    public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
      return misbehave(null, io.stdout(), io.gone());
    }

    @Override
    public Future<Void> portForward(PodRef pod, int port, Connection connection) {
      return misbehave(null, connection.outgoing(), connection.gone());
    }

    @Override
    public Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
      return misbehave("/c.tar", null, gone);
    }
  }

  @ParameterizedTest
  @EnumSource(Mischief.class)
  void aProviderThatMisbehavesHarmsThatSessionAlone(Mischief mischief) throws Exception {
    for (String path :
        List.of(
            COMMAND,
            "/attach/default/pod-of-n0/c?output=1",
            "/portForward/default/pod-of-n0?port=1")) {
      Hostile hostile = new Hostile(mischief);
      lab.provider.sessions = hostile;
      Session first = session(path);
      if (mischief == Mischief.HANGS) {
        assertThat(take(hostile.heard)).isEqualTo("begun");
      } else {
        first.ended();
      }

      assertThat(session(COMMAND).error()).as("the next one, after %s", path).contains("Success");

      if (mischief == Mischief.HANGS) {
        first.socket().close();
        assertThat(take(hostile.heard)).isEqualTo("gone");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mischief.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"HANGS"})
  void aLogOfAProviderThatMisbehavesIsAnswered(Mischief mischief) {
    lab.provider.sessions = new Hostile(mischief);

    Answer answer = lab.get("/containerLogs/default/pod-of-n0/c");

    boolean well = mischief == Mischief.NO_CODE || mischief == Mischief.TALKS_ON;
    assertThat(answer.status()).isEqualTo(well ? 200 : 500);
    assertThat(answer.body().isEmpty()).isEqualTo(mischief == Mischief.NO_CODE);
    assertThat(lab.get("/containerLogs/default/pod-of-n0/c").status()).isEqualTo(200);
  }

  /** Nobody may be left who counts among those that are served. */
  @ParameterizedTest
  @CsvSource({
    "GET, /containerLogs/default/pod-of-n0/c?follow=true",
    "POST, /run/default/pod-of-n0/c?cmd=hang",
    "POST, /checkpoint/default/pod-of-n0/c"
  })
  void whatHangsIsOverForAClientThatLeaves(String method, String path) throws Exception {
    Hostile hostile = new Hostile(Mischief.HANGS);
    lab.provider.sessions = hostile;
    HttpClientRequest request = ask(lab.http(), method, path);
    assertThat(take(hostile.heard)).isEqualTo("begun");

    request.reset();

    assertThat(take(hostile.heard)).isEqualTo("gone");
    await().until(() -> lab.inFlight() == 0);
  }

  private static HttpClientRequest ask(HttpClient client, String method, String path)
      throws Exception {
    HttpClientRequest request =
        get(client.request(HttpMethod.valueOf(method), lab.port("n0"), "127.0.0.1", path));
    request.putHeader("Authorization", "Bearer " + ServerLab.GOOD).end();
    return request;
  }

  /** As behind a slow API server: nothing must begin for a client that has given up. */
  @ParameterizedTest
  @CsvSource({
    "GET, /containerLogs/default/pod-of-n0/c?follow=true",
    "POST, /run/default/pod-of-n0/c?cmd=hang"
  })
  void nothingBeginsForAClientThatLeftBeforeItWasLetIn(String method, String path)
      throws Exception {
    Hostile hostile = new Hostile(Mischief.HANGS);
    lab.provider.sessions = hostile;
    Promise<Void> review = Promise.promise();
    lab.review = review::future;
    HttpClientRequest request = ask(lab.http2(), method, path);
    await().until(() -> lab.asked.size() == 1);
    request.reset();
    // comes after the reset on the same connection
    ask(lab.http2(), "GET", "/healthz").response();
    await().until(() -> lab.asked.size() == 2);

    review.complete();

    await().until(() -> lab.inFlight() == 0);
    assertThat(hostile.heard).isEmpty();
  }

  /** No frame tells it here, and the connection may not even be read. */
  @ParameterizedTest
  @CsvSource({
    "GET, /containerLogs/default/pod-of-n0/c?follow=true",
    "POST, /run/default/pod-of-n0/c?cmd=hang"
  })
  void aConnectionThatBrokeBeforeItsRequestWasLetInIsNoticed(String method, String path)
      throws Exception {
    lab.provider.sessions = new Hostile(Mischief.HANGS);
    Promise<Void> review = Promise.promise();
    lab.review = review::future;
    HttpClientRequest request = ask(lab.http(), method, path);
    await().until(() -> lab.asked.size() == 1);
    get(request.connection().close());

    review.complete();

    await().until(() -> lab.inFlight() == 0);
  }

  /** As an API server has them, which asks for all of its users over one connection. */
  @Test
  void manyThatLeaveTakeNobodyElseAlong() throws Exception {
    int many = 250;
    lab.provider.endless = true;
    String log = "/containerLogs/default/pod-of-n0/c?follow=true";
    HttpClientRequest survivor = ask(lab.http2(), "GET", log);
    assertThat(get(survivor.response()).statusCode()).isEqualTo(200);
    CompletableFuture<Void> lost = new CompletableFuture<>();
    survivor.connection().closeHandler(v -> lost.complete(null));

    for (int left = many; left > 0; left--) {
      HttpClientRequest other = ask(lab.http2(), "GET", log);
      assertThat(other.connection()).isSameAs(survivor.connection());
      HttpClientResponse begun = get(other.response());
      assertThat(begun.statusCode()).isEqualTo(200);
      begun.exceptionHandler(reset -> {});
      other.reset();
    }

    await().until(() -> lab.inFlight() <= 1);
    assertThat(lab.inFlight()).isEqualTo(1);
    assertThat(lost).isNotDone();
    survivor.response().result().exceptionHandler(reset -> {});
    survivor.reset();
    await().until(() -> lab.inFlight() == 0);
  }

  /**
   * Each costs the server more than the client, which therefore has no more than it can need. None
   * of these requests is whole: one that was answered before its reset would need none.
   */
  @Test
  void aFloodOfResetsEndsItsConnection() throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    lab.provider.endless = true;
    HttpClientRequest other =
        ask(lab.http2(), "GET", "/containerLogs/default/pod-of-n0/c?follow=true");
    HttpClientResponse begun = get(other.response());
    assertThat(begun.statusCode()).isEqualTo(200);
    begun.exceptionHandler(lost -> {});
    other.connection().closeHandler(v -> ended.complete(null));

    // many at a time: what counts is how many there are in a while
    await()
        .until(
            () -> {
              get(
                  Future.join(Stream.generate(this::brokenOff).limit(50).toList())
                      .otherwiseEmpty());
              return ended.isDone();
            });

    // comes after what the next connection was left with
    get(ask(lab.http2(), "GET", "/healthz").response());
    await().until(() -> lab.inFlight() == 0);
  }

  private Future<HttpClientRequest> brokenOff() {
    return lab.http2()
        .request(HttpMethod.GET, lab.port("n0"), "127.0.0.1", "/healthz")
        .onSuccess(
            request -> {
              request.exceptionHandler(reset -> {});
              request.setChunked(true).sendHead();
              request.reset();
            });
  }

  @Test
  void noCodeIsToldWhereOneIsMissing() throws Exception {
    lab.provider.sessions = new Hostile(Mischief.NO_CODE);

    assertThat(session(COMMAND).error())
        .contains("error executing command in container: the provider answered exec with null");
  }
}
