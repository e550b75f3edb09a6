package dev.vertlet.harness.subject;

import dev.vertlet.agent.AgentSession;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.run.AgentSettings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Vertlet with its own event loops in the load test's process. */
final class InProcessSubject implements Subject {
  private final AgentSettings settings;

  /** Running agent; null while it is down. Read by threads that check whether it is alive. */
  private volatile @Nullable AgentSession session;

  InProcessSubject(SubjectSpec.InProcess spec, SubjectEnvironment where) {
    this.settings = VertletCommand.settings(spec.profile(), where, Optional.empty());
  }

  @Override
  public List<String> command() {
    return List.of();
  }

  @Override
  public void start() {
    session = AgentSession.open(settings.config());
  }

  @Override
  public ProcessUsage usage() {
    return ProcessUsage.of(ProcessHandle.current());
  }

  @Override
  public long liveHeap() {
    throw new FailedException("the heap of an agent in the load test's process is that of both");
  }

  @Override
  public String lastLines() {
    return "see above";
  }

  @Override
  public void requireAlive() {
    AgentSession running = session;
    if (running != null && running.started().isCompletedExceptionally()) {
      throw running
          .started()
          .handle(
              (started, failure) ->
                  new FailedException("the agent does not start: " + failure.getMessage(), failure))
          .join();
    }
  }

  @Override
  public void kill() {
    throw new IllegalStateException("an agent in the load test's process cannot be killed");
  }

  @Override
  public void terminate() throws InterruptedException {
    AgentSession running = session;
    session = null;
    if (running != null) {
      try (running) {
        running.stop();
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    terminate();
  }
}
