package dev.vertlet.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.lease.ReplicaSimulation.Broken;
import dev.vertlet.lease.ReplicaSimulation.Mutant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@code -Dvertlet.simulation.seed=N} replays one seed. */
class ReplicaSimulationTest {
  private static final long SEEDS = Long.getLong("vertlet.simulation.replicas.seeds", 1_000);

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
    Long one = Long.getLong("vertlet.simulation.seed");
    LongStream seeds = one == null ? LongStream.range(0, SEEDS) : LongStream.of(one);
    List<String> broken = broken(seeds, Mutant.NONE);
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
