package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.testing.Care;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of containers that have ended, where they come from and how long they may be. */
class TerminationMessageTest {
  private static final ContainerExitView FALLS_BACK = new ContainerExitView(List.of(), true);

  private final Kubelet kubelet = new Kubelet();
  private final List<LogRequest> requests = new ArrayList<>();
  private String log = "first\nlast\n";
  private Future<Void> read = Future.succeededFuture();

  @BeforeEach
  void serveLogs() {
    kubelet.runtime.streams =
        new PodStreams() {
          @Override
          public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
            requests.add(request);
            return out.write(Buffer.buffer(log)).compose(written -> read);
          }
        };
  }

  private static ContainerView container(String name) {
    return new ContainerView(name, "img", "IfNotPresent", null).withRestarts(null, FALLS_BACK);
  }

  private static @Nullable String message(@Nullable ContainerStateView state) {
    return state instanceof Terminated end ? end.message() : "not ended";
  }

  /** Of the only container of a pod that never restarts, which ends like this. */
  private @Nullable String messageAfter(ContainerView container, int exitCode, String reason) {
    PodView pod = kubelet.create(Pods.pod().never().container(container));
    kubelet.runtime.exit(pod.ref(), "c", exitCode, reason);
    return message(kubelet.state(pod, "c"));
  }

  private @Nullable String messageOfAFailure() {
    return messageAfter(container("c"), 1, "Error");
  }

  @Test
  void theEndOfTheLogIsTheMessageOfAContainerThatFailed() {
    PodView pod = kubelet.create(Pods.pod().never().container(container("c")));
    String id = kubelet.container(pod, "c").containerId();

    kubelet.runtime.exit(pod.ref(), "c", 1);

    assertThat(message(kubelet.state(pod, "c"))).isEqualTo("first\nlast\n");
    LogRequest request = requests.get(0);
    assertThat(request.target().containerId()).isEqualTo(id);
    assertThat(request.tailLines()).isEqualTo(80);
    assertThat(request.stream()).isEqualTo(LogRequest.Stream.ALL);
    assertThat(request.timestamps()).isFalse();
    assertThat(requests).hasSize(1);
  }

  @Test
  void theMessageOfAnInstanceThatWasReplacedIsInItsLastState() {
    PodView pod = kubelet.create(Pods.pod().container(container("c")));

    kubelet.runtime.exit(pod.ref(), "c", 1);

    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(message(kubelet.container(pod, "c").lastState())).isEqualTo("first\nlast\n");

    log = "second\n";
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(6);

    assertThat(message(kubelet.container(pod, "c").lastState())).isEqualTo("second\n");
  }

  @ParameterizedTest
  @CsvSource({"137, OOMKilled", "1, Error", "255, DeadlineExceeded"})
  void everyReasonOfAFailureHasItsMessage(int exitCode, String reason) {
    assertThat(messageAfter(container("c"), exitCode, reason)).isEqualTo("first\nlast\n");
  }

  @Test
  void aContainerThatItsProbeEndedHasAMessage() {
    ContainerView probed = Care.care().liveness(Care.probe(0, 1, 1, 1)).container("c");
    PodView pod = kubelet.create(Pods.pod().container(probed.withRestarts(null, FALLS_BACK)));
    kubelet.runtime.probeAnswers.put("LIVENESS c", ProbeResult.failure("no"));

    kubelet.advance(2);

    assertThat(message(kubelet.container(pod, "c").lastState())).isEqualTo("first\nlast\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"i", "s", "e"})
  void containersOfAllKindsHaveAMessage(String name) {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .init(container("s").withRestarts(RestartPolicy.ALWAYS, FALLS_BACK))
                .init(container("i"))
                .ephemeral(container("e")));

    kubelet.runtime.exit(pod.ref(), name, 3);

    ContainerStateView ended =
        name.equals("e") ? kubelet.state(pod, name) : kubelet.container(pod, name).lastState();
    assertThat(message(ended)).isEqualTo("first\nlast\n");
  }

  @Test
  void aContainerThatSucceededHasNone() {
    assertThat(messageAfter(container("c"), 0, "Completed")).isNull();
    assertThat(requests).isEmpty();
  }

  @Test
  void whatTheContainerHasLeftItselfCounts() {
    PodView pod = kubelet.create(Pods.pod().never().container(container("c")));

    kubelet.runtime.exitSaying(pod.ref(), "c", "disk full");

    assertThat(message(kubelet.state(pod, "c"))).isEqualTo("disk full");
    assertThat(requests).isEmpty();
  }

  @Test
  void withoutThePolicyNoLogIsRead() {
    ContainerView plain = new ContainerView("c", "img", "IfNotPresent", null);

    assertThat(messageAfter(plain, 1, "Error")).isNull();
    assertThat(requests).isEmpty();
  }

  /** A kubelet does not look for the logs of these either. */
  @Test
  void containersThatNeverRanOrCannotBeFoundHaveNoLog() {
    PodView pod =
        kubelet.create(Pods.pod().never().container(container("c")).container(container("d")));

    kubelet.runtime.exit(pod.ref(), "c", 128, "ContainerCannotRun");
    kubelet.runtime.loseSandbox(pod.ref());
    kubelet.advance(1);

    assertThat(requests).isEmpty();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @Test
  void onlyTheLastBytesOfALogAreKept() {
    log = "ä".repeat(3000) + "\n";

    assertThat(messageOfAFailure()).isEqualTo("ä".repeat(1023) + "\n");
  }

  @Test
  void anEndIsShownTogetherWithItsMessage() {
    Promise<Void> late = Promise.promise();
    read = late.future();
    PodView pod = kubelet.create(Pods.pod().never().container(container("c")));
    int before = kubelet.reports.size();

    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(2);
    assertThat(kubelet.reports).hasSize(before);
    assertThat(kubelet.runtime.calls("remove")).isEmpty();
    late.complete();

    assertThat(message(kubelet.state(pod, "c"))).isEqualTo("first\nlast\n");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.calls("remove")).hasSize(1);
  }

  @Test
  void aLogThatIsNotReadInTenSecondsGivesNoMessage() {
    Promise<Void> late = Promise.promise();
    read = late.future();
    PodView pod = kubelet.create(Pods.pod().never().container(container("c")));

    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(11);

    assertThat(message(kubelet.state(pod, "c"))).isNull();
    assertThat(kubelet.report(pod).finished()).isTrue();
    late.complete();
    assertThat(message(kubelet.state(pod, "c"))).isNull();
  }

  @Test
  void aLogThatCannotBeReadIsTheMessage() {
    read = Future.failedFuture(new IllegalStateException("no such file"));

    assertThat(messageOfAFailure())
        .isEqualTo("Error on reading termination message from logs: no such file");
  }

  @Test
  void aRuntimeWithoutLogsGivesNoMessage() {
    read =
        Future.failedFuture(
            new ProviderException(
                ProviderException.Kind.UNSUPPORTED, "LogsUnsupported", "the provider keeps none"));

    assertThat(messageOfAFailure()).isNull();
  }

  @Test
  void aDeletedPodKeepsItsSandboxUntilItsLogsAreRead() {
    kubelet.runtime.termExit = 143;
    PodView pod = kubelet.create(Pods.pod().container(container("c")));

    kubelet.delete(pod, 30);

    assertThat(message(kubelet.state(pod, "c"))).isEqualTo("first\nlast\n");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  /** 12 KiB for all containers of a pod together, in the present state and in the last one. */
  @Test
  void messagesShareTheRoomThatTheirPodHas() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b").init("i").ephemeral("e"));
    kubelet.runtime.exit(pod.ref(), "i", 0);

    kubelet.runtime.exitSaying(pod.ref(), "a", "ä".repeat(4000));
    kubelet.runtime.exitSaying(pod.ref(), "e", "x".repeat(4000));

    assertThat(message(kubelet.container(pod, "a").lastState())).isEqualTo("ä".repeat(1536));
    assertThat(message(kubelet.state(pod, "e"))).isEqualTo("x".repeat(3072));
  }

  @Test
  void anAgentThatStartsAnewKeepsMessages() {
    PodView pod = kubelet.create(Pods.pod().never().container(container("c")).container("d"));
    kubelet.runtime.exit(pod.ref(), "c", 1);
    PodView shown = kubelet.shown(pod);
    requests.clear();
    log = "gone";

    Kubelet second = kubelet.restarted(shown);

    assertThat(message(second.state(pod, "c"))).isEqualTo("first\nlast\n");
    assertThat(requests).isEmpty();
  }
}
