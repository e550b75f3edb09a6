package dev.vertlet.cri.wire;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vertlet.cri.wire.FakeGrpcServer.Call;
import dev.vertlet.cri.wire.GrpcChannel.Subscription;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsRequest;
import dev.vertlet.cri.wire.StatusMessages.RuntimeConfigRequest;
import dev.vertlet.cri.wire.StatusMessages.VersionRequest;
import dev.vertlet.cri.wire.StatusMessages.VersionResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventType;
import dev.vertlet.cri.wire.StreamMessages.ExecSyncRequest;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

final class GrpcChannelTest {
  private static final VersionResponse VERSION = new VersionResponse("0.1.0", "fake", "1.0", "v1");

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  @SuppressWarnings("NullAway.Init") // set before each test
  private FakeGrpcServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private GrpcChannel channel;

  @BeforeEach
  void open() {
    server = new FakeGrpcServer(vertx, directory.resolve("s"));
    channel = new GrpcChannel(vertx, server.socket());
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private <T> T call(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(v -> call.get().onComplete(answer));
    return Waits.get(answer.future());
  }

  private Throwable failure(Supplier<? extends Future<?>> call) {
    return call(
        () ->
            call.get()
                .transform(
                    result ->
                        Future.succeededFuture(
                            result.failed() ? result.cause() : new AssertionError("succeeded"))));
  }

  private Future<VersionResponse> version() {
    return new RuntimeService(channel, channel).version(new VersionRequest("v1"));
  }

  private Future<Buffer> version(Duration deadline) {
    return channel.call(
        "/runtime.v1.RuntimeService/Version",
        MessageSchema.encode(new VersionRequest("v1")),
        deadline);
  }

  @Test
  void anAnswerIsReadAndItsDeadlineSent() {
    server.on(
        "Version",
        call -> {
          assertThat(call.as(VersionRequest.class).version()).isEqualTo("v1");
          assertThat(call.request().getHeader("grpc-timeout")).isEqualTo("120000m");
          call.answer(VERSION);
        });

    VersionResponse answer = call(this::version);
    assertThat(answer).isEqualTo(VERSION);
  }

  @Test
  void aStatusInTrailersIsDecoded() {
    server.on("Version", call -> call.status("5", "no%20such%3A+thing%"));

    assertThat(failure(this::version))
        .isInstanceOfSatisfying(
            GrpcException.class,
            e -> {
              assertThat(e.status()).isEqualTo(GrpcStatus.NOT_FOUND);
              // a sequence that is none leaves the message as it is
              assertThat(e.description()).isEqualTo("no%20such%3A+thing%");
            });
  }

  @Test
  void aStatusInHeadersIsDecoded() {
    server.on("Version", call -> call.refuse(GrpcStatus.NOT_FOUND, "no%20such%3A+thing"));

    assertThat(failure(this::version))
        .hasMessage("rpc error: code = NotFound desc = no such:+thing");
  }

  @Test
  void aMissingMethodIsUnimplemented() {
    assertThat(GrpcException.isUnimplemented(failure(this::version))).isTrue();
  }

  @Test
  @Tag("X08")
  void eachMissingMethodIsLoggedOnce() {
    Logger logger = (Logger) LoggerFactory.getLogger(GrpcChannel.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
    try {
      RuntimeService runtime = new RuntimeService(channel, channel);
      for (int i = 0; i < 3; i++) {
        failure(() -> runtime.runtimeConfig(new RuntimeConfigRequest()));
        failure(() -> runtime.listPodSandboxStats(new ListPodSandboxStatsRequest(null)));
        failure(() -> runtime.containerEvents(event -> {}).end());
        server.stop(); // another connection
        server.restart();
      }
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
    }

    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsOnly("the container runtime does not have a method");
    assertThat(log.list)
        .flatExtracting(ILoggingEvent::getKeyValuePairs)
        .filteredOn(pair -> pair.key.equals("method"))
        .extracting(pair -> pair.value)
        .containsExactly(
            "runtime.v1.RuntimeService/RuntimeConfig",
            "runtime.v1.RuntimeService/ListPodSandboxStats",
            "runtime.v1.RuntimeService/GetContainerEvents");
  }

  @Test
  void connectionsAreCounted() {
    server.on("Version", call -> call.answer(VERSION));
    assertThat(channel.connections()).isZero();
    call(this::version);
    call(this::version);
    assertThat(channel.connections()).isEqualTo(1);

    server.stop();
    failure(this::version);
    assertThat(channel.connections()).isEqualTo(1);
    server.restart();
    call(this::version);

    assertThat(channel.connections()).isEqualTo(2);
  }

  @Test
  void aCallWithoutAnAnswerEndsAtItsDeadline() {
    server.on("Version", call -> {});

    assertThat(failure(() -> version(Duration.ofMillis(50))))
        .hasMessage("rpc error: code = DeadlineExceeded desc = context deadline exceeded");
  }

  @Test
  void aSocketThatIsNotThereIsUnavailable() {
    channel = new GrpcChannel(vertx, directory.resolve("none"));

    assertThat(GrpcException.is(failure(this::version), GrpcStatus.UNAVAILABLE)).isTrue();
  }

  @Test
  void aServerThatGoesAwayFailsItsCallsAndIsFoundAgain() {
    server.on("Version", call -> vertx.runOnContext(v -> call.request().connection().close()));
    assertThat(GrpcException.is(failure(this::version), GrpcStatus.UNAVAILABLE)).isTrue();
    server.stop();
    assertThat(GrpcException.is(failure(this::version), GrpcStatus.UNAVAILABLE)).isTrue();
    server.restart();
    server.on("Version", call -> call.answer(VERSION));

    VersionResponse answer = call(this::version);
    assertThat(answer).isEqualTo(VERSION);
  }

  @Test
  void wrongAnswersFailTheCall() {
    server.on("Version", Call::request);
    for (Answer wrong :
        List.of(
            new Answer(
                "a second answer",
                call -> {
                  call.send(VERSION);
                  call.answer(VERSION);
                }),
            new Answer("no answer", call -> call.status("0", null)),
            new Answer(
                "compressed",
                call -> {
                  call.raw(Buffer.buffer(new byte[] {1, 0, 0, 0, 0}));
                  call.status("0", null);
                }),
            new Answer(
                "ends within a message",
                call -> {
                  call.raw(Buffer.buffer(new byte[] {0, 0, 0, 0, 9, 1}));
                  call.status("0", null);
                }),
            new Answer(
                "malformed protobuf",
                call -> {
                  call.raw(Buffer.buffer(new byte[] {0, 0, 0, 0, 2, 0x0a, 9}));
                  call.status("0", null);
                }),
            new Answer("no status", call -> call.request().response().end()))) {
      server.on("Version", wrong.answer()::accept);

      assertThat(failure(this::version))
          .isInstanceOfSatisfying(
              GrpcException.class,
              e -> {
                assertThat(e.status()).isEqualTo(GrpcStatus.INTERNAL);
                assertThat(e).hasMessageContaining(wrong.words());
              });
    }
  }

  private record Answer(String words, Consumer<Call> answer) {}

  @Test
  void aMessageAboveTheLimitIsRefusedBeforeItHasCome() {
    server.on(
        "Version",
        call -> call.raw(Buffer.buffer(new byte[] {0, 1, 0, 0, 1}))); // 16 MiB and one byte

    assertThat(GrpcException.is(failure(this::version), GrpcStatus.RESOURCE_EXHAUSTED)).isTrue();
  }

  @Test
  void anAnswerInPiecesIsPutTogether() {
    Buffer frame = GrpcFrames.frame(MessageSchema.encode(VERSION));
    server.on(
        "Version",
        call -> {
          for (int i = 0; i < frame.length(); i++) {
            call.raw(frame.getBuffer(i, i + 1));
          }
          call.status("0", null);
        });

    VersionResponse answer = call(this::version);
    assertThat(answer).isEqualTo(VERSION);
  }

  @Test
  void aCommandWithoutATimeOutIsRefused() {
    RuntimeService runtime = new RuntimeService(channel, channel);

    assertThat(failure(() -> runtime.execSync(new ExecSyncRequest("c", List.of("true"), 0))))
        .hasMessageContaining("needs a time-out");
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void eventsComeUntilTheStreamIsCancelledOrEnds() {
    ContainerEventResponse event =
        new ContainerEventResponse(
            "c", ContainerEventType.CONTAINER_STOPPED_EVENT, 1, null, List.of());
    List<ContainerEventResponse> heard = new CopyOnWriteArrayList<>();
    server.on(
        "GetContainerEvents",
        call -> {
          call.send(event);
          call.raw(Buffer.buffer(new byte[] {0, 0, 0, 0, 2, 0x0a, 9})); // is left out
          call.send(event);
        });
    RuntimeService runtime = new RuntimeService(channel, channel);

    Subscription subscription =
        call(() -> Future.succeededFuture(runtime.containerEvents(heard::add)));
    Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactly(event, event));
    context.runOnContext(v -> subscription.cancel().run());

    assertThat(failure(subscription::end)).hasMessageContaining("context canceled");
    server.on("GetContainerEvents", call -> call.status("0", null));
    call(() -> runtime.containerEvents(heard::add).end());
  }
}
