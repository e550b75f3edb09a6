package dev.vertlet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Seeds;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Drops, 410s, deletions in gaps, repetitions; the world checks each delivery as it comes. */
class ReflectorSimulationTest {
  static LongStream seeds() {
    return Seeds.range(100, 300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void listenersWorldEqualsTheServersOnceQuiet(long seed) {
    ReflectorSimulation simulation = new ReflectorSimulation(seed);

    simulation.storm(1500);
    simulation.calm();
    assertThat(simulation.world().things()).isEqualTo(simulation.server().objects());
    assertThat(simulation.core().state()).isInstanceOf(ReflectorState.Watching.class);
    assertThat(simulation.core().size()).isEqualTo(simulation.server().objects().size());
    assertThat(simulation.world().timesSynced()).isEqualTo(1);
  }
}
