package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PopulationTest {
  private static final long MILLI = 1_000_000;

  private final List<String> losses = new ArrayList<>();
  private final Population population = new Population(losses::add);
  private final PhaseMeter meter = begin(TestPlans.create("p", 1));

  private PhaseMeter begin(Phase phase) {
    PhaseMeter next = new PhaseMeter(phase, 0, 0);
    population.begin(next);
    return next;
  }

  private @Nullable TrackedPod see(String name, boolean ready, long now) {
    return population.observe(
        new PodSight("ns", name, Optional.empty(), ready, Optional.empty(), false), now);
  }

  private @Nullable TrackedPod seeOf(String deployment, String name, boolean ready, long now) {
    return population.observe(
        new PodSight("ns", name, Optional.of(deployment), ready, Optional.empty(), false), now);
  }

  private TrackedPod only() {
    return population.oldest(1).get(0);
  }

  private PhaseResult result() {
    return meter.result(0);
  }

  @Test
  void aPodArrivesOnceAndIsForgottenWhenItIsGone() {
    population.create("ns", "a", 10 * MILLI);
    assertThat(meter.idle()).isFalse();
    assertThat(see("a", false, 20 * MILLI)).isNull();

    assertThat(see("a", true, 50 * MILLI)).isSameAs(only());
    assertThat(see("a", true, 90 * MILLI)).isNull();
    assertThat(meter.idle()).isTrue();

    assertThat(population.delete(only(), 100 * MILLI)).isTrue();
    assertThat(meter.idle()).isFalse();
    population.gone("a", 130 * MILLI);

    assertThat(meter.idle()).isTrue();
    assertThat(result().create().max()).isBetween(40.0, 40.1);
    assertThat(result().delete().max()).isBetween(30.0, 30.1);
    assertThat(population.oldest(9)).isEmpty();
    assertThat(losses).isEmpty();
  }

  @Test
  void podsOfOthersAreNoneOfOurs() {
    assertThat(see("b", true, 0)).isNull();
    population.gone("b", 0);

    assertThat(losses).isEmpty();
    assertThat(meter.idle()).isTrue();
  }

  @Test
  void aPodThatVanishesIsLost() {
    population.create("ns", "a", 0);
    population.create("ns", "b", 0);
    var unused = see("b", true, 0);

    population.gone("a", 0);
    population.gone("b", 0);

    assertThat(meter.idle()).isTrue();
    assertThat(population.lost()).isEqualTo(2);
    assertThat(losses)
        .containsExactly(
            "pod a vanished, and nobody asked it to", "pod b vanished, and nobody asked it to");
  }

  @Test
  void aPodThatFailedIsLostOnceAndCanBeDeleted() {
    population.create("ns", "a", 0);
    var unused =
        population.observe(
            new PodSight("ns", "a", Optional.empty(), false, Optional.of("OutOfpods"), false), 5);

    assertThat(meter.idle()).isTrue();
    assertThat(losses).containsExactly("pod a failed: OutOfpods");
    assertThat(population.delete(only(), 10)).isTrue();
    population.gone("a", 20);
    assertThat(population.lost()).isEqualTo(1);
    assertThat(result().gone()).isEqualTo(1);
  }

  @Test
  void onlyPodsThatNobodyAskedToGoFlip() {
    population.create("ns", "a", 0);
    var ready = see("a", true, 0);
    var not = see("a", false, 0);
    var again = see("a", true, 0);
    assertThat(population.flips()).isEqualTo(1);

    population.delete(only(), 0);
    var deleted = see("a", false, 0);

    assertThat(population.flips()).isEqualTo(1);
  }

  @Test
  void aPhaseWaitsForTheLivesThatItBegan() {
    population.create("ns", "a", 0);
    population.create("ns", "b", 0);
    for (String name : List.of("a", "b")) {
      population.live(Objects.requireNonNull(see(name, true, 0)), true);
    }
    assertThat(meter.idle()).isFalse();

    population.delete(only(), 10);
    population.gone("a", 20);
    assertThat(meter.idle()).isFalse();
    population.gone("b", 30);

    assertThat(meter.idle()).isTrue();
    assertThat(losses).containsExactly("pod b vanished, and nobody asked it to");
  }

  @Test
  void aPodIsDeletedOnce() {
    population.create("ns", "a", 0);
    TrackedPod pod = only();

    assertThat(population.delete(pod, 0)).isTrue();
    assertThat(population.delete(pod, 0)).isFalse();
    population.gone("a", 0);
    assertThat(population.delete(pod, 0)).isFalse();
  }

  @Test
  void theOldestComeFirst() {
    for (String name : List.of("c", "a", "b")) {
      population.create("ns", name, 0);
    }

    assertThat(population.oldest(2)).extracting(TrackedPod::name).containsExactly("c", "a");
  }

  @Test
  void podsOfADeploymentCountFromItsCreateToItsDelete() {
    population.deploy("ns", "d", 2, 10 * MILLI);
    assertThat(seeOf("d", "d-1", false, 20 * MILLI)).isNull();
    assertThat(seeOf("d", "d-1", true, 30 * MILLI)).isNotNull();
    assertThat(meter.idle()).isFalse();
    assertThat(seeOf("d", "d-2", true, 60 * MILLI)).isNotNull();
    assertThat(meter.idle()).isTrue();
    assertThat(population.oldest(9)).as("which no Deployment keeps").isEmpty();
    assertThat(population.standing()).hasSize(2);

    population.undeploy(population.oldestDeployments(9).get(0), 100 * MILLI);
    population.gone("d-1", 110 * MILLI);
    assertThat(meter.idle()).isFalse();
    population.gone("d-2", 140 * MILLI);

    assertThat(meter.idle()).isTrue();
    assertThat(result().created()).isEqualTo(2);
    assertThat(result().create().max()).isBetween(50.0, 50.1);
    assertThat(result().deleted()).isEqualTo(2);
    assertThat(result().delete().max()).isBetween(40.0, 40.1);
    assertThat(population.oldestDeployments(9)).isEmpty();
    assertThat(losses).isEmpty();
  }

  @Test
  void aDeploymentsPodThatVanishesIsLostAndReplaced() {
    population.deploy("ns", "d", 1, 0);
    assertThat(seeOf("d", "d-1", true, 0)).isNotNull();
    population.gone("d-1", 0);
    assertThat(seeOf("d", "d-2", true, 0)).isNotNull();

    assertThat(population.lost()).isEqualTo(1);
    assertThat(result().ready()).isEqualTo(1);
    assertThat(meter.idle()).isTrue();
  }

  @Test
  void aPodThatItsDeploymentMadeTooLateGoesWithIt() {
    population.deploy("ns", "d", 1, 0);
    assertThat(seeOf("d", "d-1", true, 0)).isNotNull();
    population.undeploy(population.oldestDeployments(1).get(0), 0);

    assertThat(seeOf("d", "d-2", false, 0)).isNull();
    population.gone("d-1", 0);
    assertThat(meter.idle()).isFalse();
    population.gone("d-2", 0);

    assertThat(meter.idle()).isTrue();
    assertThat(result().gone()).isEqualTo(2);
    assertThat(losses).isEmpty();
  }

  @Test
  void whatIsGivenUpIsLostAndWaitedForNoMore() {
    population.create("ns", "slow", 0);
    population.create("ns", "stuck", 0);
    var unused = see("stuck", true, 0);
    population.delete(population.standing().get(0), 0);
    population.deploy("ns", "d", 3, 0);
    assertThat(seeOf("d", "d-1", true, 0)).isNotNull();
    assertThat(seeOf("d", "d-2", false, 0)).isNull();

    population.giveUp();

    assertThat(meter.idle()).isTrue();
    assertThat(population.lost()).isEqualTo(4);
    assertThat(losses)
        .containsExactly(
            "pod slow did not become Ready in time",
            "pod stuck did not go in time",
            "2 pods of Deployment d did not become Ready in time");
    PhaseMeter next = begin(TestPlans.create("next", 1));
    assertThat(see("slow", true, 0)).isNull();
    population.gone("stuck", 0);
    assertThat(next.idle()).isTrue();
    assertThat(population.lost()).isEqualTo(4);
  }
}
