package dev.vertlet.stages.play;

import java.time.Instant;
import java.util.Optional;

/** Remembers running delays, so that they end at their time after a restart. */
public interface DelayJournal {
  /** Remembers nothing: delays begin anew after a restart. */
  DelayJournal NONE =
      new DelayJournal() {
        @Override
        public Optional<Begun> take(String uid) {
          return Optional.empty();
        }

        @Override
        public void began(String uid, Begun begun) {}

        @Override
        public void ended(String uid) {}
      };

  /**
   * A running delay.
   *
   * @param visit number of stages that the object had gone through
   */
  record Begun(int visit, Instant at) {}

  /** Returns the delay of an object that an earlier process left, once. */
  Optional<Begun> take(String uid);

  /** A delay is running. */
  void began(String uid, Begun begun);

  /** The delay has ended, or is not needed any more. */
  void ended(String uid);
}
