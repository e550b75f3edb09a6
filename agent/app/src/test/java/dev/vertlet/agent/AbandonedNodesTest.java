package dev.vertlet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AbandonedNodesTest {
  private static AbandonedNodes nodes(boolean adopts, Map<Integer, String> providers) {
    return new AbandonedNodes(Set.of("a", "b"), adopts, new TreeMap<>(providers));
  }

  @Test
  void aNodeThatIsNotConfiguredIsAbandonedAndAConfiguredOneIsNot() {
    AbandonedNodes nodes = nodes(false, Map.of(0, "cri"));

    assertThat(nodes.of(0)).accepts("former").rejects("a", "b");
  }

  @Test
  void theFirstShardOfEachProviderEndsWhatIsLeft() {
    AbandonedNodes nodes =
        nodes(false, Map.of(1, "simulated", 2, "simulated", 4, "cri", 5, "cri", 6, "cri"));

    assertThat(nodes.of(1)).accepts("former");
    assertThat(nodes.of(2)).rejects("former");
    assertThat(nodes.of(4)).accepts("former");
    assertThat(nodes.of(5)).rejects("former");
    assertThat(nodes.of(6)).rejects("former");
  }

  @Test
  void noNodeIsAbandonedWhereOthersMayBeAdopted() {
    AbandonedNodes nodes = nodes(true, Map.of(0, "cri"));

    assertThat(nodes.of(0)).rejects("former", "a");
  }
}
