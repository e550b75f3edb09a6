package dev.vertlet.stages.play;

import dev.vertlet.stages.expression.StageDelay;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/** Draws the delays of objects, and remembers them beyond a restart. */
final class Delays {
  /** Shorter delays are not remembered beyond a restart. */
  private static final Duration REMEMBERED = Duration.ofSeconds(1);

  private final long seed;
  private final Clock clock;
  private final DelayJournal journal;

  Delays(long seed, Clock clock, DelayJournal journal) {
    this.seed = seed;
    this.clock = clock;
    this.journal = journal;
  }

  /** Begins where an earlier process stopped. */
  void recall(Played played) {
    journal
        .take(played.uid)
        .ifPresent(
            begun -> {
              played.visit = begun.visit();
              played.begin = begun.at();
              played.journaled = true;
            });
  }

  /** No delay of the object is running any more. */
  void forget(Played played) {
    if (played.journaled) {
      played.journaled = false;
      journal.ended(played.uid);
    }
  }

  /** The draws of an object for its next stage: the same ones in every process. */
  SplittableRandom draws(Played played) {
    long mixed = seed;
    for (int i = 0; i < played.key.length(); i++) {
      mixed = mixed * 0x100000001b3L ^ played.key.charAt(i);
    }
    return new SplittableRandom(mixed * 0x100000001b3L + played.visit);
  }

  /**
   * Begins the delay of a stage, or goes on with it where it is running already.
   *
   * @param stage the one that was chosen now; the object still has the one before
   * @return when the stage is due
   */
  Instant begin(Played played, CompiledStage stage, StageObject object, SplittableRandom draws) {
    boolean recalled = played.journaled && played.stage == null;
    Instant now = clock.instant();
    if (stage != played.stage && !recalled || played.begin.isAfter(now)) {
      played.begin = now;
    }
    Instant due =
        stage
            .delay(object, played.begin)
            .map(range -> drawn(range, draws))
            .filter(delay -> !delay.isNegative())
            .map(played.begin::plus)
            .orElse(played.begin);
    if (due.isAfter(now.plus(REMEMBERED))) {
      played.journaled = true;
      journal.began(played.uid, new DelayJournal.Begun(played.visit, played.begin));
    } else {
      forget(played);
    }
    return due;
  }

  private static Duration drawn(StageDelay.Range range, SplittableRandom draws) {
    return range.at(draws.nextDouble());
  }
}
