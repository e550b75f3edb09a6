package dev.vertlet.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodePodsTest {
  private static PodView pod(
      String name, int age, @Nullable Instant startTime, List<String> podIPs) {
    return Pods.of(TestPods.pod(name).view())
        .created(TestPods.CREATED.minusSeconds(age))
        .status(Statuses.in(PodPhase.PENDING).started(startTime).podIPs(podIPs).build())
        .build();
  }

  /** kubelet row C13: new pods are admitted oldest first, after all that were accepted before. */
  @Test
  @Tag("C13")
  void c13OrdersByWhatAPodHoldsAndThenByItsAge() {
    NodePods node = new NodePods(false);
    for (PodView view :
        List.of(
            pod("young", 1, null, List.of()),
            pod("old", 3, null, List.of()),
            pod("accepted", 0, TestPods.CREATED, List.of()),
            pod("middle", 2, null, List.of()),
            pod("addressed", 0, TestPods.CREATED, List.of("10.0.0.1")))) {
      node.add(new PodMailbox(view));
    }
    assertThat(node.adoptionOrder())
        .extracting(mailbox -> mailbox.ref().name())
        .containsExactly("addressed", "accepted", "old", "middle", "young");
  }
}
