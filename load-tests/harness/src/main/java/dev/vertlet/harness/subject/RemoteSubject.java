package dev.vertlet.harness.subject;

import dev.vertlet.harness.measure.ProcessUsage;
import java.util.List;
import java.util.Optional;

/**
 * Vertlet in its own process with an {@link BackendProcess} beside it, which outlives the agent's
 * restarts and is not in its usage.
 */
final class RemoteSubject implements Subject {
  private final BackendProcess backend;
  private final ProcessSubject agent;

  RemoteSubject(SubjectSpec.Remote spec, SubjectEnvironment where) {
    this.backend = new BackendProcess(where);
    this.agent =
        new ProcessSubject(
            VertletCommand.of(spec.vertlet(), where, Optional.of(backend.url())), where.dir());
  }

  @Override
  public List<String> command() {
    return agent.command();
  }

  @Override
  public void start() {
    backend.start();
    agent.start();
  }

  @Override
  public ProcessUsage usage() {
    return agent.usage();
  }

  @Override
  public long liveHeap() throws InterruptedException {
    return agent.liveHeap();
  }

  @Override
  public String lastLines() {
    return agent.lastLines();
  }

  @Override
  public void requireAlive() {
    backend.requireAlive();
    agent.requireAlive();
  }

  @Override
  public void kill() throws InterruptedException {
    agent.kill();
  }

  @Override
  public void terminate() throws InterruptedException {
    agent.terminate();
  }

  @Override
  public void close() throws InterruptedException {
    try {
      agent.close();
    } finally {
      backend.close();
    }
  }
}
