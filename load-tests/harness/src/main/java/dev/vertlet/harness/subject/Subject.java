package dev.vertlet.harness.subject;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.measure.ProcessUsage;
import java.util.List;
import java.util.Optional;

/**
 * Subject that can be started, ended and started again. Its methods block. One thread at a time may
 * start and end it; the other methods are thread-safe.
 */
public sealed interface Subject extends AutoCloseable
    permits InProcessSubject, ProcessSubject, RemoteSubject {
  /** Prepares a subject without starting it. */
  static Subject of(SubjectSpec spec, SubjectEnvironment where) {
    if (spec instanceof SubjectSpec.InProcess inProcess) {
      return new InProcessSubject(inProcess, where);
    }
    if (spec instanceof SubjectSpec.Remote remote) {
      return new RemoteSubject(remote, where);
    }
    return new ProcessSubject(
        spec instanceof SubjectSpec.Program program
            ? PeerCommand.of(program.peer(), where)
            : VertletCommand.of((SubjectSpec.Vertlet) spec, where, Optional.empty()),
        where.dir());
  }

  /**
   * @throws FailedException when a requirement is missing on this machine, with a hint how to
   *     install it
   */
  static void requireInstalled(SubjectSpec spec) {
    if (spec instanceof SubjectSpec.Program program) {
      new Installed(System.getenv()).require(program.peer());
    }
    if (spec instanceof SubjectSpec.Remote) {
      BackendProcess.command(new Installed(System.getenv()), 0);
    }
  }

  /** Command line; empty for a subject without its own process. */
  List<String> command();

  /**
   * Starts the subject; it may not serve nodes yet on return.
   *
   * @throws FailedException when it cannot be started
   */
  void start() throws InterruptedException;

  /** Usage so far, summed over all its runs. */
  ProcessUsage usage();

  /**
   * Reachable bytes of its heap, after a full collection that this method requests.
   *
   * @throws FailedException when it is no JVM, has ended, or has no process of its own
   */
  long liveHeap() throws InterruptedException;

  /** Last lines of its log. */
  String lastLines();

  /**
   * @throws FailedException when it has ended unexpectedly, with the last lines of its log
   */
  void requireAlive();

  /**
   * Kills the subject.
   *
   * @throws IllegalStateException when it has no process of its own
   */
  void kill() throws InterruptedException;

  /** Stops the subject in an orderly way. */
  void terminate() throws InterruptedException;

  /** Ends the subject permanently. */
  @Override
  void close() throws InterruptedException;
}
