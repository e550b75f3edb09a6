package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.wire.ContainerMessages.CreateContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerRequest;
import dev.vertlet.cri.wire.FakeGrpcServer.Call;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.ImageMessages.PullImageResponse;
import dev.vertlet.cri.wire.SandboxMessages.RunPodSandboxResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventType;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a runtime does not tell, or tells in another way than the protocol has it. */
@Tag("X08")
final class RuntimeLossTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  @SuppressWarnings("NullAway.Init") // set before each test
  private FaultLab lab;

  @BeforeEach
  void open() throws IOException {
    lab = new FaultLab(directory);
  }

  @AfterEach
  void close() {
    lab.close();
  }

  private ContainerStateView newest() {
    return lab.changes().get(lab.changes().size() - 1).state();
  }

  private String failure(Future<?> call) {
    return String.valueOf(FaultLab.failure(call).getMessage());
  }

  /** Lets time pass in small steps until something is so. */
  private void advanceUntil(Duration step, ThrowingRunnable assertion) {
    Waits.eventually(
        () -> {
          lab.timers().advance(step);
          assertion.run();
        });
  }

  @Test
  void anAgentStartsWithoutItsRuntimeAndFindsItLater() {
    lab.fake().server().stop();
    lab.start();

    assertThat(failure(lab.begin(lab.runtime()::status))).isEqualTo("container runtime is down");
    assertThat(failure(lab.begin(lab::sandbox))).contains("error while dialing: dial unix");

    lab.fake().server().restart();
    lab.call(lab.runtime()::status);
    assertThat(lab.run().running()).isTrue();
  }

  @Test
  void whatEndsWhileTheSocketIsGoneIsToldWhenItIsBackAndTheRestRunsOn() {
    lab.start();
    ContainerRecord first = lab.run();
    lab.fake().server().stop();
    assertThat(failure(lab.begin(lab.runtime()::status))).isEqualTo("container runtime is down");
    lab.fake().kill(FaultLab.plain(first), 3);
    lab.fake().server().restart();

    advanceUntil(
        SECOND,
        () ->
            assertThat(newest())
                .isInstanceOfSatisfying(
                    Terminated.class, end -> assertThat(end.exitCode()).isEqualTo(3)));

    lab.call(lab.runtime()::status);
    assertThat(lab.lost()).isEmpty();
    assertThat(lab.call(() -> lab.container(1)).running()).isTrue();
  }

  @Test
  void aRuntimeWithoutEventsIsListedEverySecond() throws Exception {
    lab.fake().on("GetContainerEvents", call -> call.refuse(GrpcStatus.UNIMPLEMENTED, "none"));
    lab.start();
    ContainerRecord container = lab.run();
    lab.fake().kill(FaultLab.plain(container), 4);

    advanceUntil(SECOND, () -> assertThat(newest()).isInstanceOf(Terminated.class));
  }

  private long subscriptions() {
    return lab.fake().server().calls().stream().filter("GetContainerEvents"::equals).count();
  }

  @Test
  void eventsAreUsedOnceARuntimeThatHasThemIsThere() {
    lab.fake().on("GetContainerEvents", call -> call.refuse(GrpcStatus.UNIMPLEMENTED, "none"));
    lab.start();
    String id = FaultLab.plain(lab.run());
    lab.fake().server().stop();
    lab.fake().heal("GetContainerEvents");
    lab.fake().server().restart();
    advanceUntil(SECOND, () -> assertThat(lab.fake().subscriber()).isNotNull());

    lab.fake().kill(id, 6);
    lab.fake().tell(id, ContainerEventType.CONTAINER_STOPPED_EVENT);

    // without a list: no time passes
    Waits.eventually(() -> assertThat(newest()).isInstanceOf(Terminated.class));
  }

  @Test
  void aRuntimeWithoutEventsIsAskedForThemOncePerConnection() {
    lab.fake().on("GetContainerEvents", call -> call.refuse(GrpcStatus.UNIMPLEMENTED, "none"));
    lab.start();
    Waits.eventually(() -> assertThat(subscriptions()).isEqualTo(1));
    for (int i = 0; i < 5; i++) {
      advanceUntil(SECOND, () -> lab.call(lab.runtime()::list));
    }
    assertThat(subscriptions()).isEqualTo(1);

    lab.fake().server().stop();
    lab.fake().server().restart();

    advanceUntil(SECOND, () -> assertThat(subscriptions()).isEqualTo(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2", "3", "7"}) // ended, Unknown, InvalidArgument, PermissionDenied
  void aServiceThatEndsItsStreamAtOnceIsNone(String code) {
    lab.fake().on("GetContainerEvents", call -> call.status(code, "no"));
    lab.start();
    String id = FaultLab.plain(lab.run());
    Waits.eventually(() -> assertThat(subscriptions()).isEqualTo(1));
    lab.fake().kill(id, 7);

    advanceUntil(SECOND, () -> assertThat(newest()).isInstanceOf(Terminated.class));
    for (int i = 0; i < 5; i++) {
      advanceUntil(SECOND, () -> lab.call(lab.runtime()::list));
    }
    assertThat(subscriptions()).isEqualTo(1);
  }

  @Test
  void anEventIsAHintUponWhichTheStateIsAskedForUntilItHasChanged() {
    lab.start();
    String id = FaultLab.plain(lab.run());
    Waits.eventually(() -> assertThat(lab.fake().subscriber()).isNotNull());

    lab.fake().tell(id, ContainerEventType.CONTAINER_STOPPED_EVENT);
    Waits.eventually(() -> assertThat(lab.fake().server().calls()).endsWith("ContainerStatus"));
    assertThat(newest()).isInstanceOf(Running.class);

    lab.fake().kill(id, 5);
    advanceUntil(Duration.ofMillis(500), () -> assertThat(newest()).isInstanceOf(Terminated.class));
    long ends = lab.changes().stream().filter(one -> one.state() instanceof Terminated).count();
    lab.fake().tell(id, ContainerEventType.CONTAINER_STOPPED_EVENT);
    lab.fake().tell("unknown", ContainerEventType.CONTAINER_STOPPED_EVENT);
    lab.call(lab.runtime()::list);
    assertThat(ends).isEqualTo(1);
    assertThat(lab.changes()).hasSize(2);
  }

  @Test
  void aStreamOfEventsThatBreaksIsOpenedAgain() {
    lab.start();
    Waits.eventually(() -> assertThat(lab.fake().subscriber()).isNotNull());
    Call first = Objects.requireNonNull(lab.fake().subscriber());
    first.raw(Buffer.buffer(new byte[] {1, 2, 3, 4, 5})); // no message of gRPC

    advanceUntil(SECOND, () -> assertThat(lab.fake().subscriber()).isNotNull().isNotEqualTo(first));
  }

  @Test
  void aSandboxThatOthersHaveRemovedIsLostWithItsContainers() {
    lab.start();
    lab.run();
    lab.fake().loseSandboxes();

    Future<List<RuntimePod>> listed = lab.begin(lab.runtime()::list);

    assertThat(Waits.get(listed)).singleElement().extracting(RuntimePod::sandbox).isNull();
    assertThat(newest())
        .isInstanceOfSatisfying(
            Terminated.class,
            end -> {
              assertThat(end.exitCode()).isEqualTo(137);
              assertThat(end.reason()).isEqualTo("ContainerStatusUnknown");
            });
    assertThat(lab.lost()).containsExactly(lab.ref());
  }

  @Test
  void anAnswerWithoutAnIdIsRefusedWithAKubeletsWords() {
    lab.start();
    lab.fake().on("RunPodSandbox", call -> call.answer(new RunPodSandboxResponse("")));
    assertThat(failure(lab.begin(lab::sandbox))).contains("PodSandboxId is not set for sandbox");
    lab.fake().heal("RunPodSandbox");
    lab.call(lab::sandbox);

    lab.fake().on("CreateContainer", call -> call.answer(new CreateContainerResponse("")));
    assertThat(failure(lab.begin(() -> lab.container(0))))
        .isEqualTo("ContainerId is not set for container");

    lab.fake().on("PullImage", call -> call.answer(new PullImageResponse("")));
    assertThat(
            failure(
                lab.begin(
                    () ->
                        lab.runtime()
                            .pull(lab.pod().view(), lab.pod().view().spec().containers().get(0)))))
        .contains("imageRef of image \"busybox:1\" is not set");
  }

  @Test
  void theStatusOfAnotherContainerIsNotTaken() {
    lab.start();
    ContainerRecord first = lab.run();
    lab.fake()
        .on(
            "ContainerStatus",
            call ->
                call.answer(
                    Objects.requireNonNull(lab.fake().containerStatus(FaultLab.plain(first)))));

    assertThat(failure(lab.begin(() -> lab.container(1))))
        .isEqualTo("the runtime sent the status of container c2 instead of c3");
    assertThat(lab.changes()).containsExactly(first);
  }

  @Test
  void fieldsAndStatesOfAnotherVersionDoNoHarm() {
    lab.start();
    ContainerRecord first = lab.run();
    lab.fake().heal("ContainerStatus");
    lab.fake()
        .on(
            "Version",
            call -> {
              // VersionResponse with runtime_name, and fields 99 of each wire type
              byte[] message = {
                0x12,
                4,
                'f',
                'a',
                'k',
                'e',
                (byte) 0x98,
                6,
                1,
                (byte) 0x9a,
                6,
                2,
                1,
                2,
                (byte) 0x99,
                6,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                (byte) 0x9d,
                6,
                1,
                2,
                3,
                4
              };
              call.raw(Buffer.buffer().appendByte((byte) 0).appendInt(message.length));
              call.raw(Buffer.buffer(message));
              call.status("0", null);
            });
    lab.fake()
        .on(
            "ListContainers",
            call -> {
              // one Container of state 9, which no version has
              byte[] message = {0x0a, 6, 0x0a, 2, 'x', '9', 0x30, 9};
              call.raw(Buffer.buffer().appendByte((byte) 0).appendInt(message.length));
              call.raw(Buffer.buffer(message));
              call.status("0", null);
            });
    lab.call(lab.runtime()::status);
    lab.call(lab.runtime()::list);
    lab.fake().heal("ListContainers");

    assertThat(lab.call(lab.runtime()::list)).hasSize(1);
    assertThat(lab.changes().get(0)).isEqualTo(first);
  }

  @Test
  void theRuntimesOwnConditionsAreShown() {
    lab.start();
    lab.fake().on("Status", call -> call.answer(FakeRuntime.status(false)));

    lab.call(lab.runtime()::status);
    assertThat(failure(lab.begin(lab.runtime()::networkStatus))).isEqualTo("no network");

    lab.fake().on("Status", call -> call.answer(FakeRuntime.noStatus()));
    assertThat(failure(lab.begin(lab.runtime()::status)))
        .isEqualTo(
            "container runtime not ready: RuntimeReady=false reason:Unknown message:the runtime"
                + " does not tell");
  }

  @Test
  void aContainerHasTwoSecondsToEndWhateverItsGrace() {
    lab.start();
    String id = lab.run().id();
    List<Long> seconds = new CopyOnWriteArrayList<>();
    lab.fake()
        .on(
            "StopContainer",
            call -> {
              seconds.add(call.as(StopContainerRequest.class).timeout());
              lab.fake().usually("StopContainer").handle(call);
            });

    lab.call(() -> lab.runtime().stopContainer(lab.ref(), id, Duration.ZERO));

    assertThat(seconds).containsExactly(2L);
  }

  @Test
  void aPodThatIsOverIsRemovedOnceTheRuntimeLetsIt() throws Exception {
    lab.start();
    lab.run();
    lab.fake().on("RemovePodSandbox", Fault.REFUSED.instead(call -> {}));
    lab.call(() -> lab.runtime().removeSandbox(lab.ref()));
    Files.delete(lab.directory().resolve("cri-sandbox"));
    Files.delete(lab.directory());

    advanceUntil(
        Duration.ofSeconds(2),
        () -> assertThat(lab.fake().server().calls()).contains("RemovePodSandbox"));
    assertThat(lab.fake().sandboxCount()).isEqualTo(1);
    lab.fake().heal("RemovePodSandbox");

    advanceUntil(Duration.ofSeconds(2), () -> assertThat(lab.fake().sandboxCount()).isZero());
    // after the sandbox, and by a worker
    Waits.eventually(() -> assertThat(directory.resolve("logs")).isEmptyDirectory());
  }

  @Test
  void aCreationThatWentOnAfterItsDeadlineIsFoundAndNotDoubled() throws Exception {
    lab.start();
    lab.fake()
        .on("RunPodSandbox", Fault.DONE_AND_LATE.instead(lab.fake().usually("RunPodSandbox")));
    Future<?> late = lab.begin(() -> lab.sandbox().mapEmpty());
    Waits.eventually(() -> assertThat(lab.fake().server().calls()).contains("RunPodSandbox"));
    lab.timers().advance(Duration.ofMinutes(4));
    assertThat(failure(late)).contains("context deadline exceeded");
    lab.fake().heal("RunPodSandbox");

    lab.run();

    assertThat(lab.fake().sandboxCount()).isEqualTo(1);
    assertThat(lab.fake().containerCount()).isEqualTo(1);
    Optional<RuntimePod> pod = lab.call(() -> lab.runtime().restore(lab.pod().view()));
    assertThat(pod.orElseThrow().containers()).hasSize(1);
  }
}
