package dev.vertlet.env;

import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.ReferredView;
import java.util.List;

/** What is known of something that a pod refers to. */
public sealed interface Reading {
  /**
   * As the API server holds it.
   *
   * @param objects empty when there is none
   */
  record Known(List<ReferredView> objects) implements Reading {
    public Known {
      objects = List.copyOf(objects);
    }
  }

  /**
   * It is being read.
   *
   * @param until when to give up waiting, epoch milliseconds
   */
  record Unread(long until) implements Reading {}

  /** It is not read: it is taken to be there, with whatever is wanted of it. */
  record Assumed() implements Reading {}

  /** It cannot be read; the message is the kubelet's. */
  record Unavailable(String message) implements Reading {}

  /** Where readings come from. */
  @FunctionalInterface
  interface Lookup {
    Reading read(ReferredKey key);
  }
}
