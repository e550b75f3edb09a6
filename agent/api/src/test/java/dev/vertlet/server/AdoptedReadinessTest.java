package dev.vertlet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.NodesListed;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdoptedReadinessTest {
  private final Readiness readiness = new Readiness(Set.of(), true, "me");

  private String line() {
    return readiness.lines(true).get(3);
  }

  @Test
  void anAgentIsReadyWhenItKnowsThatThereIsNothingToAdoptYet() {
    assertThat(readiness.isReady()).isFalse();
    assertThat(line()).isEqualTo("[-]nodes-adopted waiting: the list of nodes");

    readiness.on(new NodesListed());
    assertThat(readiness.isReady()).isTrue();
    assertThat(line()).isEqualTo("[+]nodes-adopted ok: 0 nodes adopted");
  }

  @Test
  void nodesThatComeAndGoAreNoReasonToBeUnready() {
    readiness.on(new NodesListed());
    readiness.on(new NodeAdopted("a"));
    readiness.on(new NodeAdopted("b"));
    readiness.on(new LeaseAcquired("a", 0));

    assertThat(readiness.isReady()).isTrue();
    assertThat(line())
        .isEqualTo("[+]nodes-adopted ok: 2 nodes adopted, 1 not served: b (not acquired yet)");

    assertThat(readiness.lines(false).get(3))
        .isEqualTo("[+]nodes-adopted ok: 2 nodes adopted, 1 not served");

    readiness.on(new NodeReleased("b"));
    readiness.on(new LeaseLost("b", "released"));
    assertThat(line()).isEqualTo("[+]nodes-adopted ok: 1 nodes adopted");
  }

  @Test
  void whatOthersServeIsNotWaitedFor() {
    readiness.on(new NodesListed());
    readiness.on(new NodeAdopted("a"));
    readiness.on(new NodeAdopted("b"));
    readiness.on(new NodesAssigned(Map.of("a", "me", "b", "other")));

    assertThat(line()).endsWith("1 not served: a (not acquired yet)");
  }
}
