package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.pod.PodProvider;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Operations on the provider of pods under test, called as vertlet calls them. */
abstract class PodOperations extends ProviderTck {
  static final Duration GRACE = Duration.ofSeconds(30);

  private final List<TckContext> contexts = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // set before each test
  PodProvider provider;

  @SuppressWarnings("NullAway.Init") // set before each test
  TckContext context;

  @BeforeEach
  final void startProvider() {
    assertThat(lab().make()).as("what create makes").isInstanceOf(Backend.Pods.class);
    restart();
  }

  /** Starts a new instance; the caller has stopped any former one. */
  final void restart() {
    provider = ((Backend.Pods) lab().make()).provider();
    context = new TckContext(lab().vertx());
    contexts.add(context);
    lab().call(() -> provider.start(context));
  }

  @AfterEach
  final void everyReportMadeSense() {
    lab().call(provider::stop);
    contexts.forEach(PodOperations::holdInvariants);
  }

  /** Checks the invariants of all reports, in the order in which the provider made them. */
  static void holdInvariants(TckContext context) {
    Set<PodRef> ended = new HashSet<>();
    Set<PodRef> terminal = new HashSet<>();
    for (PodReport report : context.reports()) {
      String pod = report.pod().display();
      assertThat(report.node()).as("node of %s", pod).isIn(Lab.NODE, Lab.OTHER_NODE);
      assertThat(report.status().phase()).as("phase of %s", pod).isNotEqualTo(PodPhase.UNKNOWN);
      if (terminal.contains(report.pod())) {
        assertThat(report.status().phase().terminal()).as("%s stays ended", pod).isTrue();
      }
      if (ended.contains(report.pod())) {
        assertThat(report.finished()).as("%s stays finished", pod).isTrue();
      }
      if (report.finished()) {
        assertThat(running(report.status())).as("%s is finished and runs", pod).isEmpty();
        ended.add(report.pod());
      }
      if (report.status().phase().terminal()) {
        terminal.add(report.pod());
      }
    }
  }

  static List<String> running(PodStatusView status) {
    return Stream.of(
            status.initContainerStatuses(),
            status.containerStatuses(),
            status.ephemeralContainerStatuses())
        .flatMap(List::stream)
        .filter(container -> container.state() instanceof ContainerStateView.Running)
        .map(ContainerStatusView::name)
        .toList();
  }

  final void create(TckPod pod) {
    context.holds(pod);
    lab().call(() -> createPod(pod));
  }

  /** Creates the pod with what the provider asks for, as vertlet does. */
  final Future<Void> createPod(TckPod pod) {
    return provider.input().hasDefinition()
        ? provider.create(pod.view(), content(pod))
        : provider.create(pod.view());
  }

  final Future<Void> updatePod(TckPod pod) {
    return provider.input().hasDefinition()
        ? provider.update(pod.view(), content(pod))
        : provider.update(pod.view());
  }

  static PodContent content(TckPod pod) {
    return new PodContent(pod.definition(), List.of(), Map.of());
  }

  final PodReport runs(TckPod pod) {
    create(pod);
    return awaitRunning(pod);
  }

  final PodReport awaitRunning(TckPod pod) {
    awaitReport(pod, report -> report.status().phase() == PodPhase.RUNNING);
    return Objects.requireNonNull(context.last(pod.ref()));
  }

  final void awaitFinished(TckPod pod) {
    awaitReport(pod, PodReport::finished);
  }

  private void awaitReport(TckPod pod, Predicate<PodReport> wanted) {
    lab()
        .eventually(
            () ->
                assertThat(context.last(pod.ref()))
                    .as("the last report of %s", pod.ref().display())
                    .isNotNull()
                    .matches(wanted));
  }

  final void delete(TckPod pod, Duration grace) {
    lab().call(() -> provider.delete(pod.deleted(grace.toSeconds()).view(), grace));
  }

  /** The provider's reports of this pod in its list. */
  final List<PodReport> listed(TckPod pod) {
    return lab().call(provider::list).stream()
        .filter(report -> report.pod().equals(pod.ref()))
        .toList();
  }

  final void awaitForgotten(TckPod pod) {
    lab().eventually(() -> assertThat(listed(pod)).isEmpty());
  }

  /** Requires success or NOT_FOUND: the two answers to a request that leaves nothing to do. */
  final void doneOrNotFound(Future<?> answer) {
    Throwable failure =
        lab()
            .call(
                () ->
                    answer.transform(
                        done ->
                            Future.succeededFuture(
                                done.succeeded() ? new Throwable("none") : done.cause())));
    if (!"none".equals(failure.getMessage())) {
      assertThat(ProviderException.kindOf(failure)).as("%s", failure).isEqualTo(Kind.NOT_FOUND);
    }
  }

  static List<Integer> restarts(PodReport report) {
    return report.status().containerStatuses().stream()
        .map(ContainerStatusView::restartCount)
        .toList();
  }
}
