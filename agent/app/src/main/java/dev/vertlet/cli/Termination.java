package dev.vertlet.cli;

import java.util.concurrent.CompletableFuture;

/**
 * Turns SIGTERM and SIGINT into an orderly stop with the command's exit code: the JVM alone would
 * exit with 143 or 130, which service managers take for a failure.
 *
 * <p>The main thread completes {@link #exit}; the JVM's shutdown thread waits for it.
 */
public final class Termination {
  private final CompletableFuture<Void> requested = new CompletableFuture<>();
  private final CompletableFuture<Integer> code = new CompletableFuture<>();

  /** Starts to listen for this process' signals. */
  public static Termination ofProcess() {
    Termination termination = new Termination();
    Runtime.getRuntime().addShutdownHook(new Thread(termination::onShutdown, "vertlet-shutdown"));
    return termination;
  }

  /** Completes when a signal or {@link #request} asks for the end. */
  public CompletableFuture<Void> requested() {
    return requested;
  }

  /** Asks for the end, as a signal does. */
  public void request() {
    requested.complete(null);
  }

  /** Ends the process. Call once, last. */
  public void exit(int status) {
    if (code.complete(status) && !requested.isDone()) {
      System.exit(status);
    }
  }

  private void onShutdown() {
    if (code.isDone()) {
      return; // the program ended by itself
    }
    request();
    int status = code.join();
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(status);
  }
}
