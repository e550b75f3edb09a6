package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.testing.Fakes;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From a container's name to the runtime's streams of one instance. */
class CoreStreamsTest {
  private final Kubelet kubelet = new Kubelet();
  private final Reached reached = new Reached();

  CoreStreamsTest() {
    kubelet.runtime.streams = reached;
  }

  /** What the runtime was asked for. */
  private static final class Reached implements PodStreams {
    final List<ContainerTarget> targets = new ArrayList<>();
    final List<String> calls = new ArrayList<>();

    @Override
    public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
      calls.add("logs previous=" + request.previous() + " tail=" + request.tailLines());
      targets.add(request.target());
      return Future.succeededFuture();
    }

    @Override
    public Future<Integer> exec(ExecRequest request, ContainerIo io) {
      calls.add("exec " + request.command() + " tty=" + request.tty());
      targets.add(request.target());
      return Future.succeededFuture(3);
    }

    @Override
    public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
      calls.add("attach tty=" + tty);
      targets.add(target);
      return Future.succeededFuture();
    }

    @Override
    public Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
      calls.add("checkpoint within " + limit.toSeconds() + " s");
      targets.add(target);
      return Future.succeededFuture("/c.tar");
    }

    @Override
    public Future<Void> check(StreamKind kind, ContainerTarget target) {
      calls.add("check " + kind);
      targets.add(target);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> portForward(PodRef pod, int port, Connection connection) {
      calls.add("port " + port + " of " + pod.display());
      return Future.succeededFuture();
    }
  }

  /** Both ends of a session without a client. */
  private interface Session extends ContainerIo, Connection {}

  private static final Session IO =
      Fakes.answering(
          Session.class,
          (method, arguments) -> method.equals("gone") ? Promise.<Void>promise().future() : null);

  @SuppressWarnings("unchecked") // nobody writes to it
  private static final WriteStream<Buffer> NOWHERE =
      (WriteStream<Buffer>)
          Fakes.answering(
              WriteStream.class,
              (method, arguments) -> {
                throw new AssertionError("written to: " + method);
              });

  private Future<Void> logs(PodRef pod, String container, boolean previous) {
    LogRequest request =
        new LogRequest(
            new ContainerTarget(pod, "n", container, ""),
            false,
            previous,
            false,
            null,
            7L,
            null,
            LogRequest.Stream.ALL);
    return kubelet.core.streams().logs(request, NOWHERE, IO.gone());
  }

  private Future<Integer> exec(PodRef pod, String container) {
    ContainerTarget target = new ContainerTarget(pod, "n", container, "");
    return kubelet.core.streams().exec(new ExecRequest(target, List.of("ls", "-l"), true), IO);
  }

  private Future<Void> attach(PodRef pod, String container) {
    return kubelet.core.streams().attach(new ContainerTarget(pod, "n", container, ""), true, IO);
  }

  private static void refused(Future<?> future, Kind kind, String message) {
    assertThat(future.failed()).isTrue();
    assertThat(future.cause()).hasMessage(message);
    assertThat(ProviderException.kindOf(future.cause())).isEqualTo(kind);
  }

  private ContainerTarget.Facts facts(int call) {
    return Objects.requireNonNull(reached.targets.get(call).facts());
  }

  private String id(PodView pod, String container) {
    return String.valueOf(kubelet.container(pod, container).containerId());
  }

  @Test
  @Tag("C56")
  void c56LogsAreOfTheRunningInstanceAndOfTheOneBefore() {
    PodView pod = kubelet.create(Pods.pod().container("c"));
    String first = id(pod, "c");
    kubelet.runtime.exit(pod.ref(), "c", 5);

    Kubelet.done(logs(pod.ref(), "c", false));
    Kubelet.done(logs(pod.ref(), "c", true));
    String second = id(pod, "c");
    assertThat(reached.calls)
        .containsExactly("logs previous=false tail=7", "logs previous=true tail=7");
    assertThat(reached.targets)
        .extracting(ContainerTarget::containerId)
        .containsExactly(second, first);
    assertThat(facts(0).state()).isInstanceOf(Running.class);
    assertThat(facts(1).state()).isInstanceOf(Terminated.class);
    assertThat(facts(1).pod()).isEqualTo(pod);
  }

  @Test
  void logsOfAPodThatIsOverAreStillReached() {
    PodView pod = kubelet.create(Pods.pod().never().container("c"));
    String id = id(pod, "c");
    kubelet.runtime.exit(pod.ref(), "c", 5);
    assertThat(kubelet.report(pod).finished()).isTrue();

    Kubelet.done(logs(pod.ref(), "c", false));
    assertThat(reached.targets.get(0).containerId()).isEqualTo(id);
    assertThat(facts(0).state())
        .isInstanceOfSatisfying(Terminated.class, end -> assertThat(end.exitCode()).isEqualTo(5));
    refused(exec(pod.ref(), "c"), Kind.TEMPORARY, "container not found (\"c\")");
  }

  @Test
  void logsOfAContainerThatHasNotStartedAreRefusedInTheKubeletsWords() {
    kubelet.runtime.hang("pull c");
    PodView pod = kubelet.create(Pods.pod().container("c"));

    refused(
        logs(pod.ref(), "c", false),
        Kind.INVALID,
        "container \"c\" in pod \"p\" is waiting to start: ContainerCreating");
    refused(exec(pod.ref(), "c"), Kind.TEMPORARY, "container not found (\"c\")");
    assertThat(reached.calls).isEmpty();
  }

  @Test
  void whetherASessionCanBeginIsKnownBeforeItDoes() {
    PodView pod = kubelet.create(Pods.pod().container("c"));

    for (PodStreams.StreamKind kind : PodStreams.StreamKind.values()) {
      Kubelet.done(check(kind, pod.ref(), "c"));
    }

    assertThat(reached.calls).containsExactly("check EXEC", "check ATTACH", "check PORT_FORWARD");
    assertThat(reached.targets)
        .extracting(ContainerTarget::containerId)
        .containsExactly(id(pod, "c"), id(pod, "c"), "");
    PodRef gone = new PodRef("default", "q", "none");
    refused(
        check(PodStreams.StreamKind.EXEC, pod.ref(), "d"),
        Kind.NOT_FOUND,
        "container not found (\"d\")");
    refused(check(PodStreams.StreamKind.ATTACH, gone, "c"), Kind.NOT_FOUND, "pod does not exist");
    refused(
        check(PodStreams.StreamKind.PORT_FORWARD, gone, ""),
        Kind.NOT_FOUND,
        "pod not found (\"q_default\")");
  }

  private Future<Void> check(PodStreams.StreamKind kind, PodRef pod, String container) {
    return kubelet.core.streams().check(kind, new ContainerTarget(pod, "n", container, ""));
  }

  @Test
  @Tag("C57")
  void c57ACommandRunsInTheRunningInstance() {
    PodView pod = kubelet.create(Pods.pod().container("c"));

    assertThat(exec(pod.ref(), "c").result()).isEqualTo(3);

    assertThat(reached.calls).containsExactly("exec [ls, -l] tty=true");
    assertThat(reached.targets.get(0).containerId()).isEqualTo(id(pod, "c"));
  }

  @Test
  void anEphemeralContainerIsReachedFromItsStartToItsEndAndItsLogAfterwards() {
    PodView pod = kubelet.create(Pods.pod().container("c"));
    refused(exec(pod.ref(), "debug"), Kind.NOT_FOUND, "container not found (\"debug\")");

    Kubelet.done(kubelet.core.update(Pods.of(pod).ephemeral("debug").generation(2).build()));
    Kubelet.done(logs(pod.ref(), "debug", false));
    Kubelet.done(exec(pod.ref(), "debug"));
    Kubelet.done(attach(pod.ref(), "debug"));
    kubelet.runtime.exit(pod.ref(), "debug", 0);
    Kubelet.done(logs(pod.ref(), "debug", false));

    assertThat(reached.calls)
        .containsExactly(
            "logs previous=false tail=7",
            "exec [ls, -l] tty=true",
            "attach tty=true",
            "logs previous=false tail=7");
    assertThat(reached.targets)
        .extracting(ContainerTarget::containerId)
        .containsOnly(id(pod, "debug"));
    refused(exec(pod.ref(), "debug"), Kind.TEMPORARY, "container not found (\"debug\")");
  }

  @Test
  @Tag("C58")
  void c58AttachReachesTheRunningInstanceOrSaysThatNobodyOffersIt() {
    PodView pod = kubelet.create(Pods.pod().container("c"));

    assertThat(attach(pod.ref(), "c").succeeded()).isTrue();
    assertThat(reached.calls).containsExactly("attach tty=true");

    kubelet.runtime.streams = PodStreams.NONE;
    refused(attach(pod.ref(), "c"), Kind.UNSUPPORTED, "the provider attaches to no containers");
  }

  @Test
  @Tag("C59")
  void c59PortsAreOfAPodThatHasASandbox() {
    kubelet.runtime.hang("sandbox late");
    PodView late = kubelet.create(Pods.pod("late").container("c"));
    PodView pod = kubelet.create(Pods.pod().container("c"));

    Kubelet.done(kubelet.core.streams().portForward(pod.ref(), 80, IO));

    assertThat(reached.calls).containsExactly("port 80 of " + pod.ref().display());
    refused(
        kubelet.core.streams().portForward(late.ref(), 80, IO),
        Kind.TEMPORARY,
        "pod not found (\"late_" + late.namespace() + "\")");
  }

  private Future<String> checkpoint(PodRef pod, String container) {
    ContainerTarget target = new ContainerTarget(pod, "n", container, "");
    return kubelet
        .core
        .streams()
        .checkpoint(target, Duration.ofSeconds(7), Future.future(never -> {}));
  }

  @Test
  void aCheckpointIsOfTheRunningInstanceOrSomebodySaysThatThereIsNone() {
    PodView pod = kubelet.create(Pods.pod().never().container("c"));

    assertThat(checkpoint(pod.ref(), "c").result()).isEqualTo("/c.tar");

    assertThat(reached.calls).containsExactly("checkpoint within 7 s");
    assertThat(reached.targets.get(0).containerId()).isEqualTo(id(pod, "c"));
    refused(checkpoint(pod.ref(), "d"), Kind.NOT_FOUND, "container d not found");
    kubelet.runtime.streams = PodStreams.NONE;
    refused(checkpoint(pod.ref(), "c"), Kind.UNSUPPORTED, "the provider makes no checkpoints");
    kubelet.runtime.exit(pod.ref(), "c", 0);
    refused(checkpoint(pod.ref(), "c"), Kind.TEMPORARY, "container c not found");
  }

  @Test
  void whatNobodyKnowsIsNotFound() {
    PodView pod = kubelet.create(Pods.pod().container("c"));
    PodRef stranger = new PodRef("other", "q", "no-such-uid");

    refused(logs(stranger, "c", false), Kind.NOT_FOUND, "pod \"q\" does not exist");
    refused(exec(stranger, "c"), Kind.NOT_FOUND, "pod does not exist");
    refused(attach(stranger, "c"), Kind.NOT_FOUND, "pod does not exist");
    refused(
        kubelet.core.streams().portForward(stranger, 80, IO),
        Kind.NOT_FOUND,
        "pod not found (\"q_other\")");
    refused(logs(pod.ref(), "x", false), Kind.NOT_FOUND, "container \"x\" not found in pod \"p\"");
    refused(exec(pod.ref(), "x"), Kind.NOT_FOUND, "container not found (\"x\")");
    refused(
        attach(pod.ref(), "x"),
        Kind.NOT_FOUND,
        "container x not found in pod p_" + pod.namespace());
  }
}
