package dev.vertlet.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RendezvousTest {
  private static final List<String> NODES =
      IntStream.range(0, 3000).mapToObj(i -> "node-" + i).toList();

  private static Map<String, String> owners(List<String> members) {
    return NODES.stream()
        .collect(Collectors.toMap(Function.identity(), n -> Rendezvous.owner(n, members)));
  }

  @Test
  void eachMemberHasItsShare() {
    Map<String, Long> shares =
        owners(List.of("a", "b", "c")).values().stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    assertThat(shares.values())
        .hasSize(3)
        .allSatisfy(n -> assertThat(n).isCloseTo(1000, within(100L)));
  }

  @Test
  void whoComesTakesFromAllAndMovesNothingElse() {
    Map<String, String> before = owners(List.of("a", "b", "c"));
    Map<String, String> after = owners(List.of("a", "b", "c", "d"));

    assertThat(NODES.stream().filter(n -> !Objects.equals(before.get(n), after.get(n))))
        .allMatch(node -> "d".equals(after.get(node)))
        .hasSizeBetween(650, 850);
  }

  @Test
  void whoGoesLeavesTheNodesOfOthersWhereTheyAre() {
    Map<String, String> before = owners(List.of("a", "b", "c"));
    Map<String, String> after = owners(List.of("a", "c"));

    assertThat(NODES.stream().filter(n -> !"b".equals(before.get(n))))
        .allMatch(node -> Objects.equals(after.get(node), before.get(node)));
  }

  @Test
  void whatTheOrderOfMembersIsDoesNotMatter() {
    Random random = new Random(7);
    List<String> members = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
    Map<String, String> owners = owners(members);
    for (int i = 0; i < 5; i++) {
      Collections.shuffle(members, random);
      assertThat(owners(members)).isEqualTo(owners);
    }
  }

  @Test
  void theSameNodesHaveTheSameDigest() {
    assertThat(Rendezvous.digest(List.of("a", "b")))
        .isEqualTo(Rendezvous.digest(List.of("b", "a")))
        .isNotEqualTo(Rendezvous.digest(List.of("ab")))
        .hasSize(16);
  }

  @Test
  void nobodyOwnsNothing() {
    assertThatThrownBy(() -> Rendezvous.owner("n", List.of())).hasMessage("no member can own n");
  }
}
