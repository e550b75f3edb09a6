package dev.vertlet.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.lease.ReplicaSimulation.Broken;
import dev.vertlet.lease.ReplicaSimulation.Mutant;
import dev.vertlet.testsupport.Seeds;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@code -Dvertlet.test.seed=N} replays one seed. */
class ReplicaSimulationTest {
  /** Seeds within which each mutant has to be found. */
  private static final long MUTANT_SEEDS = 50;

  private static @Nullable String broken(long seed, Mutant mutant) {
    ReplicaSimulation simulation = new ReplicaSimulation(seed, mutant);
    try {
      simulation.run();
      return null;
    } catch (Broken e) {
      return "seed " + seed + ": " + e.getMessage() + "\n" + String.join("\n", simulation.story());
    }
  }

  private static List<String> broken(LongStream seeds, Mutant mutant) {
    return seeds
        .parallel()
        .mapToObj(seed -> broken(seed, mutant))
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .toList();
  }

  @Test
  void noNodeIsHeldByTwoAndEachIsServedAgain() {
    List<String> broken = broken(Seeds.range(50, 1_000), Mutant.NONE);
    if (!broken.isEmpty()) {
      fail(broken.size() + " seeds fail; " + broken.get(0));
    }
  }

  @Test
  void clocksThatDifferByMoreThanAQuarterOfTheLeaseAreFound() {
    assertThat(broken(LongStream.range(0, MUTANT_SEEDS), Mutant.CLOCKS_APART))
        .anyMatch(story -> story.contains(" and "));
  }

  @Test
  void agentsThatKeepWhatIsOthersAreFound() {
    assertThat(broken(LongStream.range(0, MUTANT_SEEDS), Mutant.GREEDY))
        .anyMatch(story -> story.contains("is served by"));
  }
}
