package dev.vertlet.harness.servicelevel;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.run.EventLoops;
import dev.vertlet.harness.run.Patience;
import io.vertx.core.Future;
import java.util.concurrent.TimeoutException;

/**
 * Records what a control plane goes through while something else runs, on an event loop of its own.
 * Every 5 s it reads the metrics of API server and scheduler and the usage of local programs. Where
 * it may not read them, the record says so; that is no failure. For use by one thread, which it
 * blocks while it reads.
 */
public final class ControlPlaneRecorder implements AutoCloseable {
  /** Number of event loops: connections and readings share one. */
  private static final int LOOPS = 1;

  /** Limit of the last reading: a request's own of 30 s, after one in progress. */
  private static final int READ_SECONDS = 70;

  private final EventLoops loops;
  private final ControlPlaneReader reader;

  private ControlPlaneRecorder(EventLoops loops, ControlPlaneReader reader) {
    this.loops = loops;
    this.reader = reader;
  }

  /**
   * Starts to record; reads a first time.
   *
   * @throws FailedException when the kubeconfig cannot be used
   */
  public static ControlPlaneRecorder start(RecordedPlane plane, Patience patience)
      throws InterruptedException {
    EventLoops loops = EventLoops.open(LOOPS);
    ControlPlaneReader reader = new ControlPlaneReader(plane);
    loops.await(
        loops.vertx().deployVerticle(reader),
        patience,
        () -> "the metrics of " + plane.kubeconfig() + " are not answered");
    return new ControlPlaneRecorder(loops, reader);
  }

  /** Reads and forgets everything before; the record's times and totals count from now. */
  public void begin() {
    await(reader.begin());
  }

  /** Reads and forgets the totals so far, for example at the end of a warm-up. */
  public void forget() {
    await(reader.forget());
  }

  /** Reads a last time and ends the record. */
  public ControlPlaneRecord stop() {
    return await(reader.finish());
  }

  private static <T> T await(Future<T> work) {
    try {
      return work.await(READ_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException("the event loop of the control plane's record does not turn", e);
    }
  }

  @Override
  public void close() {
    loops.close();
  }
}
