package dev.vertlet.eviction;

import static dev.vertlet.eviction.EvictionSignal.IMAGEFS_AVAILABLE;
import static dev.vertlet.eviction.EvictionSignal.MEMORY_AVAILABLE;
import static dev.vertlet.eviction.EvictionSignal.NODEFS_AVAILABLE;
import static dev.vertlet.eviction.EvictionSignal.NODEFS_INODES_FREE;
import static dev.vertlet.eviction.EvictionSignal.PID_AVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.admission.Pressure;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spec §10: when a node is short of something, and when a pod has to go for it. */
class EvictionStateTest {
  private static final long MI = 1 << 20;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;

  private static EvictionState state(Threshold... thresholds) {
    return new EvictionState(
        new EvictionOptions(List.of(thresholds), Duration.ZERO, Duration.ofMinutes(5)));
  }

  private static Threshold threshold(EvictionSignal signal, String value, int grace) {
    return Threshold.parse(signal, value, Duration.ofSeconds(grace), null).orElseThrow();
  }

  /** A node with 1000 Mi of memory, of which so many are free. */
  private static NodeUsage free(long mi) {
    return free(mi, null);
  }

  private static NodeUsage free(long mi, @Nullable Instant at) {
    return new NodeUsage(
        at, new Supply(mi * MI, 1000 * MI), null, null, null, null, null, Map.of());
  }

  private String at(EvictionState state, int second, NodeUsage usage) {
    now = START.plusSeconds(second);
    Optional<Shortage> shortage = state.observe(usage, now);
    return shortage.map(s -> s.threshold().signal().key()).orElse("-") + " " + state.pressures();
  }

  /** Each is a second and so many Mi that are free; then the shortage, or only the pressure. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          c43 a hard threshold acts at once and the pressure stays for five minutes | 100Mi | 0 | none | 0:100=- 10:50=SHORT 20:99=SHORT 30:100=PRESSURE 319:900=PRESSURE 320:900=-
          a soft threshold acts once it has been met for its grace without a break | 20% | 30 | none | 0:199=PRESSURE 29:199=PRESSURE 30:300=PRESSURE 40:199=PRESSURE 69:199=PRESSURE 70:199=SHORT
          what is to be reclaimed beyond the threshold keeps the shortage up | 100Mi | 0 | 10% | 0:150=- 10:50=SHORT 20:199=SHORT 30:201=PRESSURE 40:150=PRESSURE
          """)
  @Tag("C43")
  void actsByItsThresholds(
      String what, String value, int grace, @Nullable String reclaimed, String observations) {
    EvictionState state =
        state(
            Threshold.parse(MEMORY_AVAILABLE, value, Duration.ofSeconds(grace), reclaimed)
                .orElseThrow());
    Map<String, String> shown =
        Map.of("-", "- []", "PRESSURE", "- [MEMORY]", "SHORT", "memory.available [MEMORY]");

    for (String observation : observations.split(" ")) {
      String[] part = observation.split("[:=]");
      assertThat(at(state, Integer.parseInt(part[0]), free(Long.parseLong(part[1]))))
          .as(observation)
          .isEqualTo(shown.get(part[2]));
    }
  }

  @Test
  void figuresOfBeforeDoNotCostAnotherPodItsPlace() {
    EvictionState state = state(threshold(MEMORY_AVAILABLE, "100Mi", 0));

    assertThat(at(state, 0, free(50, START))).startsWith("memory.available");
    assertThat(at(state, 10, free(50, START))).isEqualTo("- [MEMORY]");
    assertThat(at(state, 20, free(50, START.plusSeconds(15)))).startsWith("memory.available");
  }

  @Test
  void whatIsNotMeasuredIsNotJudged() {
    EvictionState state = new EvictionState(EvictionOptions.DEFAULTS);

    assertThat(at(state, 0, NodeUsage.NONE)).isEqualTo("- []");
  }

  @Test
  void memoryComesFirstAndWhatCannotWaitBeforeWhatCan() {
    Supply none = new Supply(0, 1000);
    NodeUsage nothingLeft = new NodeUsage(null, none, none, none, none, none, none, Map.of());
    EvictionState state =
        state(
            threshold(PID_AVAILABLE, "10", 0),
            threshold(IMAGEFS_AVAILABLE, "15%", 0),
            threshold(NODEFS_AVAILABLE, "10%", 0),
            threshold(MEMORY_AVAILABLE, "10", 1),
            threshold(MEMORY_AVAILABLE, "10", 0));

    Shortage shortage = state.observe(nothingLeft, START).orElseThrow();

    assertThat(shortage.threshold()).isEqualTo(threshold(MEMORY_AVAILABLE, "10", 0));
    assertThat(state.pressures()).isEqualTo(Set.of(Pressure.values()));
  }

  @ParameterizedTest
  @CsvSource({
    "memory.available,   memory,            MemoryPressure",
    "nodefs.available,   ephemeral-storage, DiskPressure",
    "nodefs.inodesFree,  inodes,            DiskPressure",
    "imagefs.available,  ephemeral-storage, DiskPressure",
    "imagefs.inodesFree, inodes,            DiskPressure",
    "pid.available,      pids,              PIDPressure"
  })
  void signalsAreAboutAResourceAndACondition(String key, String resource, String condition) {
    EvictionSignal signal = EvictionSignal.named(key).orElseThrow();

    assertThat(signal.resource()).isEqualTo(resource);
    assertThat(signal.pressure().condition()).isEqualTo(condition);
  }

  @Test
  void theDefaultsAreAKubelets() {
    assertThat(EvictionOptions.DEFAULTS.thresholds())
        .containsExactlyInAnyOrder(
            threshold(MEMORY_AVAILABLE, "100Mi", 0),
            threshold(NODEFS_AVAILABLE, "10%", 0),
            threshold(NODEFS_INODES_FREE, "5%", 0),
            threshold(IMAGEFS_AVAILABLE, "15%", 0),
            threshold(EvictionSignal.IMAGEFS_INODES_FREE, "5%", 0));
  }

  @ParameterizedTest
  @CsvSource({"0%, true", "100%, true", "50%, false", "1Ki, false"})
  void allAndNothingAreNoThresholds(String value, boolean overlooked) {
    assertThat(Threshold.parse(MEMORY_AVAILABLE, value, Duration.ZERO, null).isEmpty())
        .isEqualTo(overlooked);
  }

  @ParameterizedTest
  @CsvSource({
    "101%, 'must be from 0% to 100%, or a quantity'",
    "0, must be positive",
    "-1, 'resource quantity for \"memory\" cannot be negative: -1'",
    "much, 'failed to parse quantity \"much\" for \"memory\" resource'"
  })
  void whatIsNoThresholdIsRefused(String value, String message) {
    assertThatThrownBy(() -> Threshold.parse(MEMORY_AVAILABLE, value, Duration.ZERO, null))
        .hasMessage(message);
  }

  @Test
  void periodsAreNotNegative() {
    assertThatThrownBy(() -> threshold(MEMORY_AVAILABLE, "1", -1))
        .hasMessageContaining("must be a positive value");
    assertThatThrownBy(() -> new EvictionOptions(List.of(), Duration.ofSeconds(-1), Duration.ZERO))
        .hasMessageContaining("must not be negative");
  }
}
