package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.RunResult.Restart;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SubjectStartsTest {
  private static final long SECOND = 1_000_000_000;

  private final SubjectStarts starts = new SubjectStarts();
  private OptionalLong patches = OptionalLong.of(1_000);

  @Test
  void aSubjectServesWhenItHasRenewedEveryLease() {
    starts.started(30, 100 * SECOND, Set.of("a", "b"), () -> patches);
    starts.renewed("a", 101 * SECOND);
    starts.renewed("a", 102 * SECOND);
    patches = OptionalLong.of(1_200);
    starts.renewed("b", 103 * SECOND);
    patches = OptionalLong.of(1_300);
    starts.renewed("b", 113 * SECOND);

    assertThat(starts.restarts()).containsExactly(new Restart(30, 3, OptionalLong.of(200)));
  }

  @Test
  void oneThatIsRestartedAgainBeforeHasNotServed() {
    patches = OptionalLong.empty();
    starts.started(30, 100 * SECOND, Set.of("a", "b"), () -> patches);
    starts.renewed("a", 101 * SECOND);
    starts.started(40, 110 * SECOND, Set.of("a", "b"), () -> patches);
    starts.renewed("b", 111 * SECOND);
    starts.renewed("a", 112 * SECOND);

    assertThat(starts.restarts())
        .containsExactly(
            new Restart(30, Double.NaN, OptionalLong.empty()),
            new Restart(40, 2, OptionalLong.empty()));
  }

  @Test
  void oneWithoutLeasesCannotBeSeenToServe() {
    starts.started(30, 100 * SECOND, Set.of(), () -> patches);

    assertThat(starts.restarts())
        .containsExactly(new Restart(30, Double.NaN, OptionalLong.empty()));
  }
}
