package dev.vertlet.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.loop.FakeLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicesTest {
  private final FakeLoop loop = new FakeLoop();
  private final Slices slices = new Slices(loop);
  private final List<Integer> done = new ArrayList<>();

  @Test
  void othersHaveTheLoopInBetweenAndTheOrderStays() {
    List<Integer> turns = new ArrayList<>();
    IntStream.range(0, 120).forEach(i -> slices.add(() -> done.add(i)));
    for (int i = 0; i < 4; i++) {
      later(turns, i);
    }
    loop.settle();
    assertThat(done).isEqualTo(IntStream.range(0, 120).boxed().toList());
    assertThat(turns).containsExactly(50, 100, 120, 120);
  }

  /** Notes how far the others are, each time a turn later. */
  private void later(List<Integer> turns, int wait) {
    loop.later(
        () -> {
          if (wait == 0) {
            turns.add(done.size());
          } else {
            later(turns, wait - 1);
          }
        });
  }

  @Test
  void whatIsAddedMeanwhileComesLast() {
    slices.add(() -> slices.add(() -> done.add(2)));
    slices.add(() -> done.add(1));
    loop.settle();
    slices.add(() -> done.add(3));
    loop.settle();
    assertThat(done).containsExactly(1, 2, 3);
  }

  @Test
  void oneThatThrowsHoldsUpNobody() {
    slices.add(
        () -> {
          throw new IllegalStateException("of this one");
        });
    slices.add(() -> done.add(1));
    assertThatThrownBy(loop::settle).hasMessage("of this one");
    loop.settle();
    assertThat(done).containsExactly(1);
  }
}
