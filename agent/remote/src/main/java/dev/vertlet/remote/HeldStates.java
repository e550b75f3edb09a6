package dev.vertlet.remote;

import java.util.Collection;

/** States that the back end holds, by UID, as lists and the event stream bring them. */
interface HeldStates {
  /** A list begins; returns its number. */
  long listing();

  /**
   * A list has ended, and all its entries were observed or seen.
   *
   * @param number from {@link #listing}
   * @param uids of all its entries
   */
  void listed(long number, Collection<String> uids);

  /**
   * The back end no longer has the pod.
   *
   * @param revision of its end
   */
  void gone(String uid, long revision);
}
