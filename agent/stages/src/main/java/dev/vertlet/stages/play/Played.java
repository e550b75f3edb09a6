package dev.vertlet.stages.play;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** State of one object; owned by its player. */
final class Played {
  enum State {
    /** No stage matches, or the stage that was played has not shown its effect yet. */
    RESTING,
    /** A stage waits for its time. */
    WAITING,
    /** A write is in flight, or waits to be repeated. */
    PLAYING
  }

  final String uid;
  final String key;
  final PlayRate rate = new PlayRate();

  State state = State.RESTING;

  /** Versions up to this one have been seen. */
  long seen;

  /** Number of stages gone through. */
  int visit;

  /** Increases whenever an earlier place in the queue becomes void. */
  int ticket;

  /** Relist in which it was last delivered. */
  int generation;

  boolean warned;
  boolean journaled;

  /** Version that is waiting or played; null while resting, to save memory. */
  @Nullable StageObject object;

  @Nullable CompiledStage stage;

  /** Start of the delay. */
  Instant begin = Instant.EPOCH;

  /** Step to be taken next. */
  int step;

  /** Writes that have changed the object so far in this stage. */
  int written;

  int failures;

  /** Newest version that arrived while the stage was played. */
  @Nullable StageObject newest;

  Played(StageObject object) {
    this.uid = object.uid();
    this.key = object.key();
  }

  /** Makes its place in the queue void. */
  void rest() {
    state = State.RESTING;
    ticket++;
    object = null;
    stage = null;
    newest = null;
    step = 0;
    written = 0;
    failures = 0;
  }
}
