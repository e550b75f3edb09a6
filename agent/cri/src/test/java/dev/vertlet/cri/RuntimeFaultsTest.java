package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of a container runtime fails in each way, with a reason and without a hang. */
final class RuntimeFaultsTest {
  /** Longer than every deadline: the longest is that of a hook's command. */
  private static final Duration ALL_DEADLINES = Duration.ofHours(2);

  /** How often the agent may have to call again until a fault that is over has no effect. */
  private static final int CALLS = 3;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  /** A call of the SPI. */
  private interface Step {
    Future<?> begin(FaultLab lab);
  }

  /**
   * What is called.
   *
   * @param method of the runtime that fails
   * @param reason that the provider gives; empty where the kubelet core has the word
   * @param runs whether a container has to run before
   * @param step the call
   * @param not faults that are none here
   */
  private record Case(String method, String reason, boolean runs, Step step, Set<Fault> not) {
    @Override
    public String toString() {
      return method + (reason.isEmpty() ? "" : " " + reason);
    }
  }

  private static Case fails(String method, String reason, boolean runs, Step step, Fault... not) {
    return new Case(method, reason, runs, step, Set.of(not));
  }

  static Stream<Arguments> faults() {
    List<Case> cases =
        List.of(
            fails("RunPodSandbox", "", false, lab -> lab.sandbox()),
            fails("PodSandboxStatus", "", false, lab -> lab.sandbox()),
            fails("ImageStatus", "", false, lab -> lab.runtime().imageId("node-1", "busybox:1")),
            fails(
                "ImageStatus",
                "CreateContainerConfigError",
                false,
                lab -> lab.sandbox().compose(made -> lab.container(0))),
            // a pull has no deadline, as a kubelet's has none
            fails(
                "PullImage",
                "ErrImagePull",
                false,
                RuntimeFaultsTest::pull,
                Fault.LATE,
                Fault.DONE_AND_LATE),
            fails("CreateContainer", "CreateContainerError", false, RuntimeFaultsTest::runPod),
            fails("StartContainer", "RunContainerError", false, RuntimeFaultsTest::runPod),
            fails("ContainerStatus", "RunContainerError", false, RuntimeFaultsTest::runPod),
            fails("StopContainer", "KillContainerError", true, RuntimeFaultsTest::stop),
            fails("RemoveContainer", "RemoveContainerError", true, RuntimeFaultsTest::remove),
            fails("StopPodSandbox", "", true, lab -> lab.runtime().removeSandbox(lab.ref())),
            fails("ExecSync", "", true, RuntimeFaultsTest::probe),
            fails("ExecSync", "", true, RuntimeFaultsTest::hook),
            fails("Exec", "StreamFailed", true, RuntimeFaultsTest::exec, Fault.DONE_AND_LATE),
            fails("Attach", "StreamFailed", true, RuntimeFaultsTest::attach, Fault.DONE_AND_LATE),
            fails(
                "PortForward",
                "StreamFailed",
                true,
                RuntimeFaultsTest::forward,
                Fault.DONE_AND_LATE),
            fails("UpdateContainerResources", "ResizeError", true, RuntimeFaultsTest::resize),
            fails("ListPodSandbox", "", true, lab -> lab.runtime().list()),
            fails("ListContainers", "", true, lab -> lab.runtime().list()),
            fails("Status", "KubeletNotReady", true, lab -> lab.runtime().status()),
            fails("Status", "KubeletNotReady", true, lab -> lab.runtime().networkStatus()),
            fails("ListContainerStats", "", true, lab -> lab.runtime().usage("node-1")),
            fails(
                "ListPodSandboxStats",
                "",
                true,
                lab -> lab.runtime().usage("node-1"),
                Fault.MISSING),
            fails("ListImages", "", false, lab -> lab.runtime().images("node-1")),
            fails("RemoveImage", "", false, lab -> lab.runtime().removeImage("node-1", "i")));
    return cases.stream()
        .flatMap(
            each ->
                Stream.of(Fault.values())
                    .filter(fault -> !each.not().contains(fault))
                    .map(fault -> Arguments.of(each, fault)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("faults")
  void aFaultHasAReasonAndNoEffectOnceItIsOver(Case one, Fault fault) throws Exception {
    try (FaultLab lab = new FaultLab(directory)) {
      lab.start();
      if (one.runs()) {
        lab.run();
      }
      FakeRuntime fake = lab.fake();
      fake.on(one.method(), fault.instead(fake.usually(one.method())));
      long before = calls(lab, one);

      Future<?> call = lab.begin(() -> one.step().begin(lab).mapEmpty());
      if (fault.silent()) {
        Waits.eventually(() -> assertThat(calls(lab, one)).isGreaterThan(before));
        lab.timers().advance(ALL_DEADLINES);
      }

      Throwable failure = FaultLab.failure(call);
      assertThat(ProviderException.reasonOf(failure, "")).isEqualTo(one.reason());
      assertThat(failure.getMessage()).containsPattern(fault.words());
      fake.heal(one.method());
      lab.timers().advance(ALL_DEADLINES); // for what the agent itself has asked meanwhile
      if (!one.reason().equals("StreamFailed")) {
        again(lab, one);
      }
    }
  }

  private static long calls(FaultLab lab, Case one) {
    return lab.fake().server().calls().stream().filter(one.method()::equals).count();
  }

  private static void again(FaultLab lab, Case one) {
    Future<?> call = lab.begin(() -> one.step().begin(lab).mapEmpty());
    for (int i = 1; i < CALLS; i++) {
      Future<?> next =
          call.transform(
              done ->
                  done.succeeded()
                      ? Future.succeededFuture()
                      : lab.begin(() -> one.step().begin(lab).mapEmpty()));
      call = next;
    }
    Waits.get(call);
  }

  private static ContainerView main(FaultLab lab) {
    return lab.pod().view().spec().containers().get(0);
  }

  private static String running(FaultLab lab) {
    return lab.changes().get(lab.changes().size() - 1).id();
  }

  private static Future<?> runPod(FaultLab lab) {
    return lab.sandbox().compose(made -> lab.container(0));
  }

  private static Future<?> pull(FaultLab lab) {
    return lab.runtime().pull(lab.pod().view(), main(lab));
  }

  private static Future<?> stop(FaultLab lab) {
    return lab.runtime().stopContainer(lab.ref(), running(lab), Duration.ofSeconds(30));
  }

  private static Future<?> remove(FaultLab lab) {
    String id = running(lab);
    return lab.runtime()
        .stopContainer(lab.ref(), id, Duration.ZERO)
        .compose(stopped -> lab.runtime().removeContainer(lab.ref(), id));
  }

  private static Future<?> probe(FaultLab lab) {
    ProbeView probe = new ProbeView(new HandlerView.Exec(List.of("true")), 0, 1, 10, 1, 3, null);
    return lab.runtime()
        .probe(
            new ProbeRequest(
                lab.pod().view(), "10.0.0.7", main(lab), running(lab), ProbeKind.LIVENESS, probe))
        .compose(
            result ->
                result.outcome() == ProbeResult.Outcome.SUCCESS
                    ? Future.succeededFuture()
                    : Future.failedFuture(new IOException(result.output())));
  }

  private static Future<?> hook(FaultLab lab) {
    return lab.runtime()
        .runHook(
            new HookRequest(
                lab.pod().view(),
                "10.0.0.7",
                main(lab),
                running(lab),
                HookRequest.Moment.PRE_STOP,
                new HandlerView.Exec(List.of("true"))));
  }

  private static ContainerTarget target(FaultLab lab) {
    return new ContainerTarget(lab.ref(), "node-1", "main", running(lab));
  }

  private static Future<?> exec(FaultLab lab) {
    return lab.runtime()
        .streams()
        .exec(new ExecRequest(target(lab), List.of("true"), false), Client.listening());
  }

  private static Future<?> attach(FaultLab lab) {
    return lab.runtime().streams().attach(target(lab), false, Client.listening());
  }

  private static Future<?> forward(FaultLab lab) {
    return lab.runtime().streams().portForward(lab.ref(), 80, Client.sending());
  }

  private static Future<?> resize(FaultLab lab) {
    return lab.runtime().updateResources(lab.pod().view(), main(lab), running(lab));
  }
}
