package dev.vertlet.lease;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.Timestamps;
import dev.vertlet.testing.FakeCluster;
import io.vertx.core.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LeaseReadsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final Context context = cluster.vertx().getOrCreateContext();
  private final LeaseReads reads = new LeaseReads(cluster.kube(), context);
  private final List<String> answers = new CopyOnWriteArrayList<>();

  /** Reads all within one turn of the loop, and notes the answers in their order. */
  private void read(List<String> nodes) {
    context.runOnContext(
        v ->
            nodes.forEach(
                node ->
                    reads
                        .read(node, TIMEOUT)
                        .onSuccess(lease -> answers.add(node + "@" + lease.renewTime()))
                        .onFailure(e -> answers.add(node + ": " + KubeException.from(e).kind()))));
  }

  private void lease(String node, Instant renewed) {
    cluster.create(
        "leases",
        """
        {"metadata": {"name": "%s", "namespace": "kube-node-lease"},
         "spec": {"holderIdentity": "%s", "leaseDurationSeconds": 40, "renewTime": "%s"}}
        """
            .formatted(node, node, Timestamps.formatMicro(renewed)));
  }

  private static List<String> nodes(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "n%04d".formatted(i)).toList();
  }

  @Test
  void ofManyLeasesThatExpireFirstAreAnsweredFirstAndAbsentOnesLast() {
    // more than one page of the list, of which the last to be named expire first
    List<String> nodes = nodes(0, 600);
    for (int i = 0; i < nodes.size(); i++) {
      lease(nodes.get(i), START.minusSeconds(i));
    }
    List<String> wanted = new ArrayList<>(nodes(590, 600));
    wanted.addAll(nodes(0, 60));
    wanted.add("absent");
    Collections.reverse(wanted);
    read(wanted);

    eventually(() -> assertThat(answers).hasSize(71));
    assertThat(answers.get(0)).startsWith("n0599@");
    assertThat(answers.subList(0, 70)).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(answers.get(70)).isEqualTo("absent: " + Kind.NOT_FOUND);
    assertThat(cluster.server().count("list", "leases")).as("pages").isEqualTo(2);
    assertThat(cluster.server().count("get", "leases")).isZero();
  }

  @Test
  void fewLeasesAreReadOneByOne() {
    lease("a", START);
    read(List.of("a", "b"));

    eventually(
        () ->
            assertThat(answers)
                .containsExactlyInAnyOrder(
                    "a@" + Timestamps.formatMicro(START), "b: " + Kind.NOT_FOUND));
    assertThat(cluster.server().count("list", "leases")).isZero();
  }

  @Test
  void readsThatWaitFailAtTheEnd() {
    cluster.faults().on("get", "leases").hang();
    read(nodes(0, 40));
    eventually(
        () -> assertThat(cluster.server().count("get", "leases")).isEqualTo(LeaseReads.AT_ONCE));

    context.runOnContext(v -> reads.stop());
    eventually(() -> assertThat(answers).hasSize(8));
    assertThat(answers).allMatch(answer -> answer.endsWith(": " + Kind.CANCELLED));
  }
}
