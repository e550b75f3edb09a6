package dev.vertlet.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.NodesAssigned;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeCountsTest {
  private final NodeCounts counts = new NodeCounts(List.of("a", "b"), "me");

  private void are(int own, int ready, int held) {
    assertThat(List.of(counts.own(), counts.ready(), counts.held()))
        .as("own, ready, held")
        .containsExactly(own, ready, held);
  }

  @Test
  void allNodesAreToBeServedFromTheStart() {
    are(2, 0, 0);
  }

  @Test
  void countsLeasesAndReadyNodesOnceEach() {
    counts.on(new LeaseAcquired("a", 0));
    counts.on(new LeaseAcquired("a", 1));
    counts.on(new NodeStatusChanged("a", true, ""));
    counts.on(new NodeStatusChanged("a", true, ""));
    are(2, 1, 1);

    counts.on(new LeaseLost("a", "held by you"));
    counts.on(new LeaseLost("a", "held by you"));
    are(2, 1, 0);

    counts.on(new NodeStatusChanged("a", false, ""));
    are(2, 0, 0);
  }

  @Test
  void adoptedNodesCountUntilTheyAreReleased() {
    counts.on(new NodeAdopted("c"));
    counts.on(new NodeAdopted("c"));
    counts.on(new LeaseAcquired("c", 0));
    counts.on(new NodeStatusChanged("c", true, ""));
    are(3, 1, 1);

    counts.on(new NodeReleased("c"));
    counts.on(new NodeReleased("c"));
    // of a node that was released more may be on its way
    counts.on(new LeaseLost("c", "released"));
    counts.on(new NodeStatusChanged("c", true, ""));
    are(2, 0, 0);
  }

  @Test
  void anAgentOfSeveralCountsItsShare() {
    counts.on(new NodeStatusChanged("b", true, ""));
    counts.on(new LeaseAcquired("b", 0));
    counts.on(new NodesAssigned(Map.of("a", "me", "b", "you", "c", "me")));
    are(1, 0, 1);

    counts.on(new NodeAdopted("c"));
    counts.on(new NodeStatusChanged("a", true, ""));
    counts.on(new LeaseLost("b", "handed over"));
    are(2, 1, 0);

    counts.on(new NodesAssigned(Map.of("b", "me")));
    are(1, 1, 0);
  }
}
