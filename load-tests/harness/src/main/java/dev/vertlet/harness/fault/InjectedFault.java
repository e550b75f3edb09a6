package dev.vertlet.harness.fault;

/** A fault in force. */
public interface InjectedFault {

  /** To how many requests it has happened. */
  long hits();

  /** Ends it; harmless when it is over. */
  void remove();
}
