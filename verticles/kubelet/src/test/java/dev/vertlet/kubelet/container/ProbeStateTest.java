package dev.vertlet.kubelet.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.container.ProbeState.Verdict;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeResult.Outcome;
import dev.vertlet.testing.Care;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spec §6.2: what answers mean, and when a probe is due. */
class ProbeStateTest {
  @ParameterizedTest(name = "6.2 {0} begins {1}")
  @CsvSource({"STARTUP, UNKNOWN", "LIVENESS, SUCCESS", "READINESS, FAILURE"})
  void hasTheInitialResultOfItsKind(ProbeKind kind, Verdict initial) {
    assertThat(new ProbeState(kind, Care.probe(), 0).verdict()).isEqualTo(initial);
  }

  /** Answers as letters: s success, w warning, f failure. */
  @ParameterizedTest(name = "6.2 {0} successThreshold {1} failureThreshold {2}: {3} gives {4}")
  @CsvSource({
    "LIVENESS, 1, 3, ff, SUCCESS, false",
    "LIVENESS, 1, 3, fff, FAILURE, true",
    "LIVENESS, 1, 3, ffsff, SUCCESS, false",
    "LIVENESS, 1, 1, f, FAILURE, true",
    "READINESS, 1, 3, s, SUCCESS, false",
    "READINESS, 1, 3, w, SUCCESS, false",
    "READINESS, 2, 3, s, FAILURE, false",
    "READINESS, 2, 3, sfs, FAILURE, false",
    "READINESS, 2, 3, ss, SUCCESS, false",
    "READINESS, 1, 3, sff, SUCCESS, false",
    "READINESS, 1, 3, sfff, FAILURE, false",
    "READINESS, 1, 3, sfffs, SUCCESS, false",
    "STARTUP, 1, 30, ff, UNKNOWN, false",
    "STARTUP, 1, 2, ff, FAILURE, true",
    "STARTUP, 1, 30, ffs, SUCCESS, true"
  })
  void settlesWhenAThresholdIsMet(
      ProbeKind kind, int successes, int failures, String answers, Verdict verdict, boolean hold) {
    ProbeState probe = new ProbeState(kind, Care.probe(0, 10, successes, failures), 0);

    for (char answer : answers.toCharArray()) {
      probe.begin(0);
      probe.answered(
          answer == 'f' ? Outcome.FAILURE : answer == 'w' ? Outcome.WARNING : Outcome.SUCCESS);
    }
    assertThat(probe.verdict()).isEqualTo(verdict);
    assertThat(probe.onHold()).isEqualTo(hold);
  }

  @Test
  void startsOverWithANewInstance() {
    ProbeState probe = new ProbeState(ProbeKind.LIVENESS, Care.probe(0, 10, 1, 1), 0);
    probe.begin(0);
    assertThat(probe.answered(Outcome.FAILURE)).isTrue();

    probe.instance();
    assertThat(probe.verdict()).isEqualTo(Verdict.SUCCESS);
    assertThat(probe.onHold()).isFalse();
  }

  @ParameterizedTest(name = "6.2 taken in at 0, started at {0} s, delay {1} s, period {2} s: {3} s")
  @CsvSource({
    "0, 0, 10, 10",
    "1, 0, 10, 10",
    "10, 0, 10, 10",
    "11, 0, 10, 20",
    "1, 15, 10, 20",
    "1, 5, 1, 6",
    "100, 0, 7, 105"
  })
  void isDueAtWholePeriodsAndAfterItsDelay(int started, int delay, int period, int due) {
    ProbeState probe = new ProbeState(ProbeKind.READINESS, Care.probe(delay, period, 1, 3), 0);

    assertThat(probe.dueAt(started * 1000L)).isEqualTo(due * 1000L);
  }

  @ParameterizedTest(name = "6.2 due at 10 s, made at {0} ms: next at {1} ms")
  @CsvSource({"10000, 20000", "10050, 20000", "20000, 30000", "45000, 50000"})
  void goesOnInItsOwnRhythm(long madeAt, long next) {
    ProbeState probe = new ProbeState(ProbeKind.READINESS, Care.probe(), 0);
    probe.trigger(10_000);

    probe.begin(madeAt);
    probe.answered(Outcome.SUCCESS);
    assertThat(probe.dueAt(0)).isEqualTo(next);
  }

  @Test
  void anAnswerOfAnEarlierCallDoesNotCount() {
    ProbeState probe = new ProbeState(ProbeKind.READINESS, Care.probe(), 0);
    int first = probe.begin(0);
    assertThat(probe.lateAt()).isEqualTo(1000);
    assertThat(probe.awaits(first)).isTrue();

    probe.answered(Outcome.FAILURE);
    int second = probe.begin(10_000);
    assertThat(probe.awaits(first)).isFalse();
    assertThat(probe.awaits(second)).isTrue();
  }

  @Test
  void isTriedThreeTimesWhenItCannotBeMade() {
    ProbeState probe = new ProbeState(ProbeKind.READINESS, Care.probe(), 0);
    int call = probe.begin(0);
    assertThat(probe.retries()).isTrue();
    assertThat(probe.retries()).isTrue();
    assertThat(probe.retries()).isFalse();

    probe.thrownAway();
    assertThat(probe.awaits(call)).isFalse();
    assertThat(probe.verdict()).isEqualTo(Verdict.FAILURE);
  }

  @ParameterizedTest(name = "6.2 {0} of an adopted instance shown as {1} is {2}")
  @CsvSource({
    "STARTUP, true, SUCCESS, true",
    "STARTUP, false, UNKNOWN, false",
    "LIVENESS, true, SUCCESS, false",
    "READINESS, true, SUCCESS, false",
    "READINESS, false, FAILURE, false"
  })
  void keepsWhatWasShownOfAnAdoptedInstance(
      ProbeKind kind, boolean good, Verdict verdict, boolean hold) {
    ProbeState probe = new ProbeState(kind, Care.probe(), 0);

    probe.adopted(good, 3_000);
    assertThat(probe.verdict()).isEqualTo(verdict);
    assertThat(probe.onHold()).isEqualTo(hold);
    assertThat(probe.dueAt(0)).isEqualTo(3_000);
  }
}
