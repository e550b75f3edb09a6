package dev.vertlet.harness.replay.life;

import static dev.vertlet.harness.replay.SampleTrace.JOB;
import static dev.vertlet.harness.replay.SampleTrace.WEB;
import static dev.vertlet.harness.replay.life.ContainerTimes.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.replay.SampleTrace;
import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PodScriptTest {
  private static PodScript script(double speed, PodTimes times, ContainerLife... containers) {
    PodLife life = new SampleTrace().life(JOB, "p", times, containers);
    return new PodScript(life, speed);
  }

  private static ContainerLife main(int restarts, @Nullable Long pull, ContainerRun... runs) {
    return new ContainerLife("main", false, restarts, List.of(runs), pull);
  }

  private static ContainerRun run(long started, @Nullable Long ended, @Nullable Integer code) {
    return new ContainerRun(started, ended, code, null);
  }

  @Test
  @Tag("Q01")
  void aJobsPodPullsStartsRunsAndEndsAsRecorded() {
    PodScript script =
        script(
            1,
            new PodTimes(1_000, 1_100L, 5_100L, 6_100L, 15_100L, null, null),
            main(0, 3_000L, run(5_100, 15_100L, 3)));

    ContainerTimes times = script.times("main", 0);
    assertThat(script.pull("main")).isEqualTo(3_000);
    assertThat(times.sandbox()).as("what the pull leaves of 4 s").isEqualTo(1_000);
    assertThat(times.ready()).isEqualTo(1_000);
    assertThat(times.runs()).isEqualTo(10_000);
    assertThat(times.exitCode()).isEqualTo(3);
  }

  @Test
  @Tag("Q02")
  void everyTimeIsDividedByTheSpeed() {
    PodScript script =
        script(
            4,
            new PodTimes(1_000, 1_100L, 5_100L, 6_100L, 15_100L, null, null),
            main(0, 2_000L, run(5_100, 15_100L, 0)));

    ContainerTimes times = script.times("main", 0);
    assertThat(List.of(script.pull("main"), times.sandbox(), times.ready(), times.runs()))
        .containsExactly(500L, 500L, 250L, 2_500L);
  }

  @Test
  void aPodThatWasDeletedDoesNotEndByItself() {
    ContainerTimes times =
        script(
                1,
                new PodTimes(0, 10L, 100L, 100L, null, 5_000L, 7_000L),
                main(0, null, run(100, 6_900L, 143)))
            .times("main", 0);

    assertThat(times.runs()).isEqualTo(NEVER);
    assertThat(times.stop()).isEqualTo(2_000);
  }

  @Test
  void restartsFollowOneAnotherWithoutABackOffOfTheirOwn() {
    PodScript script =
        script(
            1,
            new PodTimes(0, 10L, 100L, 100L, null, null, null),
            main(2, null, run(100, 1_100L, 1), run(11_100, 14_100L, 2), run(34_100, null, null)));

    assertThat(script.times("main", 0).runs()).isEqualTo(1_000);
    assertThat(script.times("main", 1).runs()).isEqualTo(3_000);
    assertThat(script.times("main", 1).exitCode()).isEqualTo(2);
    assertThat(script.times("main", 1).start())
        .as("ten seconds less the agent's back-off")
        .isEqualTo(9_000);
    assertThat(script.times("main", 2).runs()).isEqualTo(NEVER);
    assertThat(script.times("main", 3).runs()).as("one more than recorded").isEqualTo(NEVER);
  }

  @Test
  void runsThatWereNotRecordedAreLikeTheOldestOne() {
    PodScript script =
        script(
            1,
            new PodTimes(0, 10L, 100L, 100L, null, null, null),
            main(5, null, run(50_000, 52_000L, 1), run(60_000, null, null)));

    assertThat(script.times("main", 0).runs()).isEqualTo(2_000);
    assertThat(script.times("main", 4).runs()).isEqualTo(2_000);
    assertThat(script.times("main", 5).runs()).isEqualTo(NEVER);
  }

  @Test
  void aKillForMemoryIsPlayedAsOne() {
    ContainerTimes times =
        script(
                1,
                new PodTimes(0, 10L, 100L, 100L, 4_100L, null, null),
                main(0, null, new ContainerRun(100, 4_100L, 137, "OOMKilled")))
            .times("main", 0);

    assertThat(times.oom()).isTrue();
    assertThat(times.runs()).isEqualTo(4_000);
  }

  @Test
  void initContainersTakeTheirPartOfTheStart() {
    PodScript script =
        script(
            1,
            new PodTimes(0, 0L, 10_000L, 10_000L, null, null, null),
            new ContainerLife("init", true, 0, List.of(run(2_000, 9_000L, 0)), 1_000L),
            main(0, null, run(10_000, null, null)));

    assertThat(script.times("init", 0).runs()).isEqualTo(7_000);
    assertThat(script.pull("init")).isEqualTo(1_000);
    assertThat(script.times("main", 0).sandbox()).isEqualTo(2_000);
  }

  @Test
  void aPodOlderThanTheRecordingStartsAtOnceAndHasTheRestOfItsLife() {
    PodScript script =
        script(
            1,
            new PodTimes(-60_000, -59_000L, -50_000L, -49_000L, 5_000L, null, null),
            main(0, 4_000L, run(-50_000, 5_000L, 0)));

    ContainerTimes times = script.times("main", 0);
    assertThat(script.pull("main")).isZero();
    assertThat(times.sandbox()).isZero();
    assertThat(times.ready()).isZero();
    assertThat(times.runs()).isEqualTo(5_000);
  }

  @Test
  void aPodThatRunsOnFromBeforeTheRecordingIsSteady() {
    ContainerLife running = main(0, null, run(-50_000, null, null));

    assertThat(script(1, started(-50_000, -49_000L, null), running).steady()).isTrue();
    assertThat(script(1, started(-50_000, -49_000L, 7_000L), running).steady())
        .as("its deletion is a step of the replay")
        .isTrue();
    assertThat(script(1, started(-50_000, 3_000L, null), running).steady())
        .as("becomes ready later")
        .isFalse();
    assertThat(script(1, started(4_000, 5_000L, null), running).steady())
        .as("starts later")
        .isFalse();
    assertThat(
            script(
                    1,
                    started(-50_000, -49_000L, null),
                    main(1, null, run(-50_000, 5_000L, 1), run(6_000, null, null)))
                .steady())
        .as("restarts later")
        .isFalse();
  }

  private static PodTimes started(long at, @Nullable Long ready, @Nullable Long deleting) {
    return new PodTimes(-60_000, -59_000L, at, ready, null, deleting, deleting);
  }

  @Test
  void runsThatEndedBeforeTheRecordingAreNotPlayedAgain() {
    PodScript script =
        script(
            1,
            started(-50_000, -49_000L, null),
            main(
                7,
                null,
                run(-50_000, -40_000L, 1),
                run(-30_000, 5_000L, 2),
                run(15_000, null, null)));

    assertThat(script.times("main", 0).runs()).isEqualTo(5_000);
    assertThat(script.times("main", 0).exitCode()).isEqualTo(2);
    assertThat(script.times("main", 1).runs()).isEqualTo(NEVER);
    assertThat(script.times("main", 1).start())
        .as("ten seconds less the agent's back-off")
        .isEqualTo(9_000);
  }

  @Test
  void aPodThatWasReadyLaterThanTheRecordingBeganIsReadyThen() {
    assertThat(
            script(1, started(-50_000, 3_000L, null), main(0, null, run(-50_000, null, null)))
                .times("main", 0)
                .ready())
        .isEqualTo(3_000);
  }

  @Test
  void aStartThatBeganBeforeTheRecordingTakesTheRestOfItsTime() {
    ContainerTimes times =
        script(
                1,
                new PodTimes(-60_000, -59_000L, 5_000L, 5_000L, null, null, null),
                main(0, null, run(5_000, null, null)))
            .times("main", 0);

    assertThat(times.sandbox()).isEqualTo(5_000);
  }

  @Test
  void aPodThatNeverStartedDoesNotStart() {
    ContainerTimes times =
        script(1, new PodTimes(0, 10L, null, null, null, null, null), main(0, null))
            .times("main", 0);

    assertThat(times.sandbox()).isEqualTo(NEVER);
  }

  @Test
  void aPodThatNeverBecameReadyDoesNot() {
    ContainerTimes times =
        script(
                1,
                new PodTimes(0, 10L, 100L, null, null, null, null),
                main(0, null, run(100, null, null)))
            .times("main", 0);

    assertThat(times.ready()).isEqualTo(NEVER);
  }

  @Test
  void anUnknownContainerRunsUntilItIsStopped() {
    PodLife life =
        new SampleTrace()
            .life(WEB, "p", new PodTimes(0, 10L, 100L, 100L, null, null, null), main(0, null));

    assertThat(new PodScript(life, 1).times("other", 0)).isEqualTo(ContainerTimes.PLAIN);
  }
}
