package dev.vertlet.apiserver.control;

import java.time.Duration;

/** How a controller gets its turn on the server's event loop. */
public interface Turns {
  /** Runs a task in a later turn, never inside the call. */
  void soon(Runnable task);

  /** Runs a task once the delay is over, not earlier. */
  void later(Duration delay, Runnable task);
}
