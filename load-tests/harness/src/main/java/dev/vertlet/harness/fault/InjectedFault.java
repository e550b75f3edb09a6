package dev.vertlet.harness.fault;

/** Fault in force. */
public interface InjectedFault {

  /** Number of requests that the fault has happened to. */
  long hits();

  /** Ends the fault. Idempotent. */
  void remove();
}
