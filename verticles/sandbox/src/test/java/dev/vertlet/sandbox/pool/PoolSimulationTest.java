package dev.vertlet.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.vertlet.testsupport.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.slf4j.LoggerFactory;

/**
 * Thousands of runs of a pool whose requests get lost, whose watch lags, whose pods die and whose
 * process ends in the middle. {@code -Dvertlet.test.seed=N} replays one.
 */
class PoolSimulationTest {
  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("dev.vertlet.sandbox.pool");

  @BeforeAll
  static void quietly() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void aloud() {
    LOGGER.setLevel(null);
  }

  private static void run(long seed, int pods, int claimers, PoolMutant mutant) {
    try {
      new PoolSimulation(seed, pods, claimers, mutant).run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + " (" + Seeds.replay(seed) + "): " + e.getMessage(), e);
    }
  }

  private static void small(long seed, PoolMutant mutant) {
    int pods = 1 + (int) (seed % 6);
    run(seed, pods, 2 + (int) (seed % 11), mutant);
  }

  @Test
  void noPodIsClaimedTwiceNoneIsLostAndEveryClaimEnds() {
    Seeds.range(200, 2_000).forEach(seed -> small(seed, PoolMutant.NONE));
  }

  @Test
  @Tag("B59")
  void aHundredClaimersShareTwentyPods() {
    Seeds.range(4, 20).forEach(seed -> run(seed, 20, 100, PoolMutant.NONE));
  }

  @ParameterizedTest
  @EnumSource(value = PoolMutant.class, mode = Mode.EXCLUDE, names = "NONE")
  void mistakesAreFound(PoolMutant mutant) {
    int seed = 1;
    while (seed <= 300) {
      try {
        small(seed, mutant);
        seed++;
      } catch (AssertionError found) {
        return;
      }
    }
    assertThat(mutant).as("found by none of 300 seeds").isNull();
  }
}
