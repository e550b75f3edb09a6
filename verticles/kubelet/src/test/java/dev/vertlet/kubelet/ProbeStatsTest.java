package dev.vertlet.kubelet;

import static dev.vertlet.testing.Care.care;
import static dev.vertlet.testing.Care.probe;
import static dev.vertlet.testing.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.probe.ProbeStats;
import dev.vertlet.testing.Care;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 2.3-metrics: what the core counts of probes, and that it hands on what nodes use. */
@Tag("2.3-metrics")
class ProbeStatsTest {
  private final Kubelet kubelet = new Kubelet();

  private List<ProbeStats> stats(String node) {
    return kubelet.core.probes(node).result();
  }

  private static long[] durations(ProbeStats stats) {
    return stats.durations().stream().mapToLong(Long::longValue).toArray();
  }

  @Test
  void answersAreCountedByResultAndSuccessesByTheTimeTheyTook() {
    ProbeView probe = new ProbeView(Care.COMMAND, 0, 20, 30, 1, 3, null);
    Promise<Object> slow = kubelet.runtime.hang("probe READINESS c");
    PodView pod = kubelet.create(pod().container("c", care().readiness(probe)));
    assertThat(stats(pod.nodeName())).isEmpty();

    kubelet.advance(3);
    slow.complete(ProbeResult.warning("redirected"));
    ProbeStats first = stats(pod.nodeName()).get(0);
    assertThat(first.pod()).isEqualTo(pod.ref());
    assertThat(first.container()).isEqualTo("c");
    assertThat(first.kind()).isEqualTo(ProbeKind.READINESS);
    assertThat(first.failed()).isZero();
    assertThat(first.seconds()).isEqualTo(3);
    assertThat(durations(first)).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0);

    kubelet.runtime.probeAnswers.put("READINESS c", ProbeResult.failure("no"));
    kubelet.advance(30);
    kubelet.runtime.probeAnswers.clear();
    kubelet.advance(60);
    ProbeStats later = stats(pod.nodeName()).get(0);
    assertThat(later.failed()).isEqualTo(1);
    assertThat(later.succeeded()).isEqualTo(3);
    assertThat(durations(later)).containsExactly(2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0);
    assertThat(stats("elsewhere")).isEmpty();
  }

  @Test
  void whatGetsNoAnswerInTimeHasFailedAndWhatCannotBeMadeDoesNotCount() {
    ProbeView probe = new ProbeView(Care.COMMAND, 0, 5, 30, 1, 9, null);
    for (ProbeKind kind : List.of(ProbeKind.LIVENESS, ProbeKind.READINESS)) {
      kubelet.runtime.fail(
          "probe " + kind + " c",
          new ProviderException(ProviderException.Kind.UNSUPPORTED, "None", "no probes"));
    }
    var unused = kubelet.runtime.hang("probe LIVENESS c");
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe).readiness(probe)));

    kubelet.advance(29);
    assertThat(stats(pod.nodeName())).isEmpty();
    kubelet.advance(31 + 6);
    assertThat(stats(pod.nodeName()))
        .filteredOn(one -> one.kind() == ProbeKind.LIVENESS)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.failed()).isEqualTo(1);
              assertThat(one.succeeded()).isZero();
            });
  }

  @Test
  void theCountsGoWithThePod() {
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe())));
    kubelet.advance(11);
    assertThat(stats(pod.nodeName())).hasSize(1);

    kubelet.delete(pod, 1);
    kubelet.advance(5);
    assertThat(stats(pod.nodeName())).isEmpty();
  }

  @Test
  void whatTheRuntimeMeasuresIsHandedOn() {
    assertThat(kubelet.core.usage("node").cause())
        .hasMessage("the runtime measures nothing")
        .extracting(ProviderException::kindOf)
        .isEqualTo(ProviderException.Kind.UNSUPPORTED);

    kubelet.runtime.usage =
        new NodeUsage(null, new NodeUsage.Supply(1, 2), null, null, null, null, null, Map.of());
    assertThat(kubelet.core.usage("node").result()).isSameAs(kubelet.runtime.usage);
  }
}
