package dev.vertlet.harness.subject;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.measure.ProcessUsage;
import java.util.List;

/**
 * A subject that can be started, ended and started again. Its methods block; those that start and
 * end it are for one thread at a time, the others for any.
 */
public sealed interface Subject extends AutoCloseable permits InProcessSubject, ProcessSubject {
  /** Prepares one without starting it. */
  static Subject of(SubjectSpec spec, SubjectEnvironment where) {
    if (spec instanceof SubjectSpec.InProcess inProcess) {
      return new InProcessSubject(inProcess, where);
    }
    return new ProcessSubject(
        spec instanceof SubjectSpec.Program program
            ? PeerCommand.of(program.peer(), where)
            : VertletCommand.of((SubjectSpec.Vertlet) spec, where),
        where.dir());
  }

  /**
   * @throws FailedException when something is missing on this machine, with what brings it
   */
  static void requireInstalled(SubjectSpec spec) {
    if (spec instanceof SubjectSpec.Program program) {
      new Installed(System.getenv()).require(program.peer());
    }
  }

  /** Its command line; empty for one without a process of its own. */
  List<String> command();

  /**
   * Starts it; it may not serve anything yet.
   *
   * @throws FailedException when it cannot be started
   */
  void start() throws InterruptedException;

  /** What it has used so far, all its lives together. */
  ProcessUsage usage();

  /**
   * Bytes of its heap that are reachable, after a full collection that this has it do.
   *
   * @throws FailedException when it is no JVM, has ended, or has no process of its own
   */
  long liveHeap() throws InterruptedException;

  /** The end of its log, for people. */
  String lastLines();

  /**
   * @throws FailedException when it has ended though nobody ended it, with the end of its log
   */
  void requireAlive();

  /**
   * Ends it without warning.
   *
   * @throws IllegalStateException when it has no process of its own
   */
  void kill() throws InterruptedException;

  /** Ends it in order. */
  void terminate() throws InterruptedException;

  /** Ends it for good. */
  @Override
  void close() throws InterruptedException;
}
