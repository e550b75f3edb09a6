package dev.vertlet.status;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Fakes;
import dev.vertlet.testing.Statuses;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions of the writer without a server: requests are answered by a test alone. */
class StatusWriterTest {
  private final FakeLoop loop = new FakeLoop();
  private final List<Object> requests = new ArrayList<>();
  private final List<Promise<KubeResponse>> answers = new ArrayList<>();
  private final List<NotWritten> reasons = new ArrayList<>();
  private final PodView web = pod("web").at(1).view();
  private StatusWriter writer = writer(false);

  private StatusWriter writer(boolean brief) {
    return new StatusWriter(
        brief,
        2,
        node -> Fakes.answering(RequestScope.class, this::answer),
        StatusRetries.DEFAULTS,
        loop,
        new Env(Clock.systemUTC(), () -> 0, new SplittableRandom(1), new SimpleMeterRegistry()),
        (pod, reason) -> reasons.add(reason));
  }

  private Object answer(String method, Object[] arguments) {
    if (method.equals("send")) {
      requests.add(arguments[0]);
      Promise<KubeResponse> promise = Promise.promise();
      answers.add(promise);
      return promise.future();
    }
    return false;
  }

  private void serve() {
    writer.acquired(web.nodeName());
  }

  private static PodReport report(PodView pod, PodPhase phase, String message, boolean finished) {
    PodStatusView status = Statuses.in(phase).why(null, message).build();
    return new PodReport(pod.ref(), pod.nodeName(), status, finished);
  }

  private void report(String... messages) {
    List<PodReport> batch = new ArrayList<>();
    for (String message : messages) {
      batch.add(report(web, PodPhase.RUNNING, message, false));
    }
    writer.reported(batch);
  }

  @Test
  void decidesInTheTurnOfTheReport() {
    serve();
    writer.observed(web);
    report("one");
    assertThat(requests).hasSize(1);
    assertThat(reasons).isEmpty();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void aServerThatWorksAgainEndsTheBackOff() {
    serve();
    writer.observed(web);
    report("one");
    answers.get(0).fail(new KubeException(Kind.SERVER_ERROR, 500, "sick", null, null));
    assertThat(requests).as("before the back-off has passed").hasSize(1);

    writer.serverReturned();
    assertThat(requests).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"THROTTLED, 429, 5", "SERVER_ERROR, 503, 5", "FORBIDDEN, 403,"})
  void aServerThatWorksAgainEndsNoBackOffThatItAskedForAndNoneForAPermission(
      Kind kind, int status, @Nullable Integer seconds) {
    serve();
    writer.observed(web);
    report("one");
    Duration asked = seconds == null ? null : Duration.ofSeconds(seconds);
    answers.get(0).fail(new KubeException(kind, status, "not now", asked, null));

    writer.serverReturned();
    assertThat(requests).hasSize(1);
  }

  @Test
  void writesTheNewestReportOfATurn() {
    serve();
    writer.observed(web);
    report("one", "two", "three");
    assertThat(requests).hasSize(1);
    assertThat(reasons).containsExactly(NotWritten.SUPERSEDED, NotWritten.SUPERSEDED);
  }

  @Test
  void countsAStatusThatWaitsForARequestOnceItIsReplaced() {
    serve();
    writer.observed(web);
    report("one");
    report("two");
    assertThat(reasons).isEmpty();
    report("three");
    assertThat(reasons).containsExactly(NotWritten.SUPERSEDED);
    assertThat(requests).hasSize(1);
  }

  @Test
  void aStepThatAKubeletWritesIsNotSuperseded() {
    serve();
    writer.observed(web);
    writer.reported(
        List.of(
            report(web, PodPhase.RUNNING, "", false), report(web, PodPhase.SUCCEEDED, "", true)));
    assertThat(reasons).isEmpty();
  }

  @Test
  void writesNoStatusThatTheServerHolds() {
    serve();
    writer.observed(web);
    writer.reported(List.of(new PodReport(web.ref(), web.nodeName(), web.status(), false)));
    assertThat(reasons).containsExactly(NotWritten.UNCHANGED);
    writer.observed(web);
    assertThat(reasons).as("nothing was reported since").hasSize(1);
    assertThat(requests).isEmpty();
  }

  @Test
  void writesNoOtherPhaseThanAFinalOne() {
    serve();
    writer.observed(pod("web").in(PodPhase.SUCCEEDED).at(1).view());
    report("late");
    assertThat(reasons).containsExactly(NotWritten.PHASE_FINAL);
    assertThat(requests).isEmpty();
  }

  @Test
  void writesNothingAboutAnUnknownPod() {
    serve();
    report("unknown");
    assertThat(reasons).containsExactly(NotWritten.POD_GONE);
  }

  @Test
  void givesUpWhatWaitsWhenThePodIsGone() {
    serve();
    writer.observed(web);
    report("one");
    report("two");
    writer.gone(web.ref());
    assertThat(reasons).containsExactly(NotWritten.POD_GONE);
  }

  @Test
  void aStaticPodWaitsForItsMirror() {
    serve();
    writer.staticObserved(web.ref());
    report("early");
    assertThat(reasons).containsExactly(NotWritten.MIRROR_MISSING);
  }

  @Test
  void writesNothingWithoutTheLease() {
    writer.observed(web);
    report("early");
    serve();
    writer.lost(web.nodeName());
    report("late");
    assertThat(reasons).containsExactly(NotWritten.NODE_NOT_SERVED, NotWritten.NODE_NOT_SERVED);
    assertThat(requests).isEmpty();
  }

  @Test
  void wipesWhatWaitedInAnEarlierTerm() {
    serve();
    writer.observed(web);
    report("one");
    report("two");
    writer.lost(web.nodeName());
    serve();
    report("three");
    assertThat(reasons).containsExactly(NotWritten.NODE_NOT_SERVED);
  }

  @Test
  void theFastProfileDeletesAnEndedPodWithoutItsStatus() {
    writer = writer(true);
    serve();
    writer.observed(pod("web").deleted(30).at(1).view());
    writer.reported(List.of(report(web, PodPhase.SUCCEEDED, "", true)));
    assertThat(reasons).containsExactly(NotWritten.OBJECT_DELETED);
    assertThat(requests).hasSize(1);
  }

  @Test
  void writesNothingNewWhileTheAgentStops() {
    serve();
    writer.observed(web);
    assertThat(writer.leave().isComplete()).isTrue();
    report("late");
    assertThat(reasons).containsExactly(NotWritten.STOPPING);
    assertThat(requests).isEmpty();
  }
}
