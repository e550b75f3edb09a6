package dev.vertlet.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.adopt.Adoptions.Effect;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdoptionsTest {
  private final Adoptions adoptions = new Adoptions(2, Set.of("own"));

  private static NodeView node(String name, String uid, long version) {
    NodeStatusView status =
        new NodeStatusView(Map.of(), Map.of(), List.of(), List.of(), Map.of(), 0);
    return new NodeView(name, uid, version, Map.of(), Map.of(), List.of(), false, status);
  }

  private void listed() {
    adoptions.synced(0);
    adoptions.synced(1);
  }

  @Test
  void nothingIsAdoptedBeforeAllListsWereRead() {
    NodeView b = node("b", "ub", 2);
    NodeView a = node("a", "ua", 1);

    assertThat(adoptions.observed(1, b)).isEmpty();
    assertThat(adoptions.observed(0, a)).isEmpty();
    assertThat(adoptions.synced(1)).isEmpty();
    assertThat(adoptions.listed()).isFalse();
    assertThat(adoptions.synced(0)).containsExactly(new Effect.Adopt(0, a), new Effect.Adopt(1, b));
    assertThat(adoptions.listed()).isTrue();
    assertThat(adoptions.synced(0)).isEmpty();
  }

  @Test
  void ofSeveralSelectorsTheFirstHasTheNodeWhicheverIsHeardFirst() {
    NodeView node = node("a", "u", 1);
    adoptions.observed(1, node);
    adoptions.observed(0, node);
    adoptions.synced(1);

    assertThat(adoptions.synced(0)).containsExactly(new Effect.Adopt(0, node));
  }

  @Test
  void aNodeThatComesLaterIsAdoptedAtOnce() {
    listed();
    NodeView node = node("a", "u", 1);

    assertThat(adoptions.observed(1, node)).containsExactly(new Effect.Adopt(1, node));
  }

  @Test
  void aNodeGoesFromOneSelectorToAnother() {
    listed();
    NodeView node = node("a", "u", 1);
    NodeView labelled = node("a", "u", 2);
    adoptions.observed(1, node);

    assertThat(adoptions.observed(0, labelled))
        .containsExactly(new Effect.Release("a"), new Effect.Adopt(0, labelled));
    assertThat(adoptions.gone(1, "a", "u")).isEmpty();
    assertThat(adoptions.gone(0, "a", "u")).containsExactly(new Effect.Release("a"));
    assertThat(adoptions.size()).isZero();
  }

  @Test
  void whatTheFirstSelectorLosesTheSecondHas() {
    listed();
    NodeView node = node("a", "u", 1);
    adoptions.observed(0, node);
    adoptions.observed(1, node);

    assertThat(adoptions.gone(0, "a", "u"))
        .containsExactly(new Effect.Release("a"), new Effect.Adopt(1, node));
  }

  @Test
  void anOlderStateChangesNothing() {
    listed();
    NodeView newer = node("a", "u", 5);
    adoptions.observed(0, newer);

    assertThat(adoptions.observed(0, node("a", "u", 4))).isEmpty();
    assertThat(adoptions.observed(0, node("a", "u", 6)))
        .containsExactly(new Effect.Change(0, node("a", "u", 6)));
  }

  @Test
  void aNodeOfTheSameNameIsAnotherOneAlsoWhenNobodySawTheFirstEnd() {
    listed();
    NodeView second = node("a", "u2", 9);
    adoptions.observed(0, node("a", "u1", 1));

    assertThat(adoptions.observed(0, second))
        .containsExactly(new Effect.Release("a"), new Effect.Adopt(0, second));
    // the end of the first, seen late
    assertThat(adoptions.gone(0, "a", "u1")).isEmpty();
    // another watch is behind
    assertThat(adoptions.observed(1, node("a", "u1", 1))).isEmpty();
    assertThat(adoptions.gone(1, "a", "u1")).isEmpty();
    assertThat(adoptions.gone(0, "a", "u2")).containsExactly(new Effect.Release("a"));
  }

  @Test
  void whatIsDeletedBeforeTheListsAreReadIsNeverAdopted() {
    adoptions.observed(0, node("a", "u", 1));
    assertThat(adoptions.gone(0, "a", "u")).isEmpty();
    adoptions.synced(0);

    assertThat(adoptions.synced(1)).isEmpty();
  }

  @Test
  void theAgentsOwnNodesAreNotAdopted() {
    listed();

    assertThat(adoptions.observed(0, node("own", "u", 1))).isEmpty();
    assertThat(adoptions.gone(0, "own", "u")).isEmpty();
  }
}
