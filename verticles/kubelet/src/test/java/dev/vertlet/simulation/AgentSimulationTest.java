package dev.vertlet.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.vertlet.testsupport.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Pod events, provider notifications, faults of the API server and restarts of the agent, in any
 * order, through the production state machines: watch and relist, mailbox, kubelet core, status
 * queue. One seed is one run; {@code -Dvertlet.test.seed=N} replays it.
 */
class AgentSimulationTest {
  /** Seeds within which each mutant has to be found; most need far fewer. */
  private static final long MUTANT_SEEDS = 300;

  /** Failing seeds that are listed. */
  private static final int SHOWN = 50;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.vertlet");

  private static @Nullable Level before;

  /** Warnings about simulated failures are of no interest. */
  @BeforeAll
  static void silence() {
    before = LOG.getLevel();
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOG.setLevel(before);
  }

  /** What one seed led to. */
  private record Outcome(
      long seed, long fingerprint, Optional<BrokenInvariant> broken, String story) {
    static Outcome of(long seed, Mutant mutant, boolean told) {
      Journal journal = new Journal(told);
      Optional<BrokenInvariant> broken = Optional.empty();
      try {
        new Cluster(seed, mutant, journal).run();
      } catch (BrokenInvariant e) {
        broken = Optional.of(e);
      } catch (RuntimeException | AssertionError e) {
        e.addSuppressed(new IllegalStateException("in seed " + seed + "\n" + journal.text()));
        throw e;
      }
      return new Outcome(seed, journal.fingerprint(), broken, journal.text());
    }

    String line() {
      return "seed " + seed + " breaks " + broken.map(Throwable::getMessage).orElse("nothing");
    }
  }

  @Test
  void noSeedBreaksAnInvariant() {
    List<Outcome> failing =
        Seeds.range(100, 10_000)
            .parallel()
            .mapToObj(seed -> Outcome.of(seed, Mutant.NONE, false))
            .filter(outcome -> outcome.broken().isPresent())
            .sorted(Comparator.comparingLong(Outcome::seed))
            .toList();
    if (!failing.isEmpty()) {
      fail(story(failing));
    }
  }

  /** The first of the failing seeds once more, with what happened and how to see it again. */
  private static String story(List<Outcome> failing) {
    Outcome told = Outcome.of(failing.get(0).seed(), Mutant.NONE, true);
    StringBuilder story = new StringBuilder("seed ").append(told.seed()).append(":\n");
    story.append(told.story()).append("\n").append(failing.size()).append(" seeds fail:");
    failing.stream().limit(SHOWN).forEach(each -> story.append("\n").append(each.line()));
    return story
        .append("\nreplay: mvn test -pl verticles/kubelet -am -Dtest=AgentSimulationTest")
        .append(" -Dsurefire.failIfNoSpecifiedTests=false ")
        .append(Seeds.replay(told.seed()))
        .toString();
  }

  @Test
  void aSeedReplaysExactly() {
    for (long seed = 0; seed < 20; seed++) {
      Outcome first = Outcome.of(seed, Mutant.NONE, false);
      assertThat(Outcome.of(seed, Mutant.NONE, true).fingerprint()).isEqualTo(first.fingerprint());
    }
  }

  @ParameterizedTest
  @EnumSource(value = Mutant.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void findsAnAgentWithAMistake(Mutant mutant) {
    List<Outcome> caught = new ArrayList<>();
    for (long seed = 0; seed < MUTANT_SEEDS && caught.isEmpty(); seed++) {
      Outcome outcome = Outcome.of(seed, mutant, false);
      outcome
          .broken()
          .filter(broken -> mutant.breaks().contains(broken.invariant()))
          .ifPresent(broken -> caught.add(outcome));
    }
    assertThat(caught).as("seeds that find %s", mutant).isNotEmpty();
    Outcome first = caught.stream().min(Comparator.comparingLong(Outcome::seed)).orElseThrow();
    Outcome again = Outcome.of(first.seed(), mutant, true);
    assertThat(again.fingerprint()).isEqualTo(first.fingerprint());
    assertThat(again.broken().map(BrokenInvariant::invariant))
        .isEqualTo(first.broken().map(BrokenInvariant::invariant));
  }
}
