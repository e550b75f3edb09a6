package dev.vertlet.harness.subject;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.measure.HeapHistogram;
import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.run.RunDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Subject in its own process. One thread ends and starts it while others read its state, hence the
 * volatile field.
 */
final class ProcessSubject implements Subject {
  /** Time limit of an orderly stop; longer than {@code agent.shutdownTimeout}. */
  private static final int STOP_SECONDS = 15;

  private static final int LOG_LINES = 5;

  private final CommandLine command;
  private final Path log;
  private volatile State state = new State.Down(ProcessUsage.NONE);

  ProcessSubject(CommandLine command, RunDir dir) {
    this.command = command;
    this.log = dir.file("subject.log");
  }

  /** State of the process. */
  private sealed interface State {
    /**
     * @param spent usage of all its runs
     */
    record Down(ProcessUsage spent) implements State {}

    /**
     * @param before usage of its earlier runs
     */
    record Up(GuardedProcess process, ProcessUsage before) implements State {}
  }

  @Override
  public List<String> command() {
    return command.words();
  }

  @Override
  public void start() {
    state = new State.Up(GuardedProcess.start(command, log), usage());
  }

  @Override
  public ProcessUsage usage() {
    State now = state;
    if (now instanceof State.Up up) {
      return up.process()
          .handle()
          .map(process -> up.before().then(ProcessUsage.ofTree(process)))
          .orElse(up.before());
    }
    return ((State.Down) now).spent();
  }

  @Override
  public long liveHeap() throws InterruptedException {
    requireAlive();
    if (state instanceof State.Up up && up.process().handle().isPresent()) {
      return HeapHistogram.liveBytes(
          up.process().handle().get(), Path.of(System.getProperty("java.home")));
    }
    throw new FailedException("the subject does not run: its heap cannot be counted");
  }

  @Override
  public void requireAlive() {
    if (state instanceof State.Up up && !up.process().alive()) {
      throw new FailedException(
          "the subject ended with exit code %d: %s"
              .formatted(up.process().exitCode(), lastLines()));
    }
  }

  @Override
  public String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log);
      return lines.isEmpty()
          ? "it wrote nothing"
          : String.join("; ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
  }

  @Override
  public void kill() throws InterruptedException {
    if (state instanceof State.Up up) {
      state = new State.Down(usage());
      up.process().kill();
    }
  }

  /** Sends SIGTERM, and SIGKILL when the process does not end. */
  @Override
  public void terminate() throws InterruptedException {
    if (state instanceof State.Up up) {
      state = new State.Down(usage());
      if (!up.process().terminate(STOP_SECONDS)) {
        up.process().kill();
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    if (state instanceof State.Up up) {
      try {
        terminate();
      } catch (InterruptedException e) {
        up.process().kill();
        throw e;
      }
    }
  }
}
