package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.RuleKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What nodes have free when it is said what containers take; nodes have 1 Gi of memory. */
class UsageTest {
  private static final long MI = 1 << 20;
  private static final long GI = 1 << 30;

  private final Lab lab =
      Lab.with(
          Lab.rule(
              LifeCycle.UNSET.with(RuleKey.STORAGE_USAGE, "1Gi").with(RuleKey.RUN_FOR, "60s")));

  private NodeUsage usage(String node) {
    return Lab.get(lab.runtime.usage(node));
  }

  @Test
  void runningContainersTakeOfTheCapacityOfTheirNode() {
    PodView pod = Pods.pod("a").annotate("memory-usage", "200Mi").view();
    PodView other = Pods.pod("b").annotate("main.memory-usage", "900Mi").view();
    lab.run(pod);
    lab.run(other);

    NodeUsage both = usage("node-1");
    assertThat(both.memory()).isEqualTo(new Supply(0, GI));
    assertThat(both.nodeFs()).isEqualTo(new Supply(8 * GI, 10 * GI));
    PodUsage used = Objects.requireNonNull(both.pods().get(pod.uid()));
    assertThat(used.containers())
        .singleElement()
        .extracting("name", "memory", "rootFs")
        .containsExactly("main", 200 * MI, new Disk(GI, 0));

    Lab.get(lab.runtime.removeSandbox(other.ref()));
    assertThat(usage("node-1").memory()).isEqualTo(new Supply(GI - 200 * MI, GI));

    lab.time.advance(Duration.ofSeconds(60));
    assertThat(usage("node-1")).isEqualTo(NodeUsage.NONE);
  }

  @Test
  void imagesTakeOfTheDiskUntilTheyAreRemoved() {
    PodView pod = Pods.pod("a").view();
    lab.run(pod);
    lab.runtime.imageSize(2 * GI);
    assertThat(Lab.get(lab.runtime.imageSize("node-1", "image-id"))).isEqualTo(2 * GI);
    String id = Lab.get(lab.runtime.pull(pod, pod.spec().containers().get(0)));
    List<ImageRecord> images = Lab.get(lab.runtime.images("node-1"));
    assertThat(images)
        .containsExactly(
            new ImageRecord(id, List.of(id, pod.spec().containers().get(0).image()), 2 * GI));
    assertThat(usage("node-1").nodeFs()).isEqualTo(new Supply(7 * GI, 10 * GI));
    assertThat(Lab.get(lab.runtime.stats("node-1")).nodeFs())
        .isEqualTo(new Supply(7 * GI, 10 * GI));

    Lab.get(lab.runtime.removeImage("node-1", id));
    Lab.get(lab.runtime.removeImage("elsewhere", id));
    assertThat(Lab.get(lab.runtime.images("node-1"))).isEmpty();
    assertThat(Lab.get(lab.runtime.images("elsewhere"))).isEmpty();
    assertThat(usage("node-1").nodeFs()).isEqualTo(new Supply(9 * GI, 10 * GI));
  }

  @Test
  void aNodeOnWhichNothingTakesAnythingMeasuresNothing() {
    assertThat(usage("elsewhere")).isEqualTo(NodeUsage.NONE);
  }
}
