package dev.vertlet.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcquisitionQueueTest {
  private final AcquisitionQueue<Integer> turns = new AcquisitionQueue<>(2);
  private final List<Integer> told = new ArrayList<>();

  @Test
  void soManyHaveATurnAndTheOthersGetTheirsInOrder() {
    assertThat(turns.take(1)).isTrue();
    assertThat(turns.take(2)).isTrue();
    assertThat(turns.take(3)).isFalse();
    assertThat(turns.take(4)).isFalse();

    turns.end(1, told::add);
    assertThat(told).containsExactly(3);
    turns.end(2, told::add);
    assertThat(told).containsExactly(3, 4);
    assertThat(turns.take(5)).as("3 and 4 have a turn").isFalse();
  }

  @Test
  void whoHasATurnNeedsNoOther() {
    turns.take(1);
    turns.take(1);
    assertThat(turns.take(2)).isTrue();
  }

  @Test
  void whoAsksAgainKeepsItsPlaceInLine() {
    turns.take(1);
    turns.take(2);
    turns.take(3);
    turns.take(4);
    turns.take(3);
    turns.end(1, told::add);
    turns.end(2, told::add);
    turns.end(3, told::add);
    assertThat(told).containsExactly(3, 4);
  }

  @Test
  void theEndOfNoTurnGivesNoneAway() {
    turns.take(1);
    turns.take(2);
    turns.take(3);
    turns.end(9, told::add);
    assertThat(told).isEmpty();
  }

  @Test
  void manyWhoMakeNothingOfTheirTurnPassItOn() {
    turns.take(1);
    turns.take(2);
    for (int i = 3; i < 100_000; i++) {
      turns.take(i);
    }
    turns.end(1, who -> turns.end(who, told::add));
    assertThat(told).as("who is told of the end in a turn is told by the first").isEmpty();
    assertThat(turns.take(100_000)).isTrue();
  }
}
