package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.load.PodLoad;
import java.util.concurrent.TimeoutException;

/** A load with its own event loop. */
public final class LoadSession implements AutoCloseable {
  /** Number of event loops: connections and measurements share one. */
  private static final int LOOPS = 1;

  private static final int ANSWER_SECONDS = 10;

  private final EventLoops loops;
  private final String deployment;
  private final PodLoad load;

  private LoadSession(EventLoops loops, String deployment, PodLoad load) {
    this.loops = loops;
    this.deployment = deployment;
    this.load = load;
  }

  /** Connects to the cluster of a plan and starts the watches. */
  public static LoadSession open(LoadPlan plan, Patience patience) throws InterruptedException {
    EventLoops loops = EventLoops.open(LOOPS);
    PodLoad load = new PodLoad(plan);
    String deployment =
        loops.await(
            loops.vertx().deployVerticle(load),
            patience,
            () -> "the API server of " + plan.kubeconfig() + " does not answer");
    return new LoadSession(loops, deployment, load);
  }

  public PodLoad load() {
    return load;
  }

  /** Measurements of the load so far; available also after the command's time limit. */
  public Measurements measurements() {
    try {
      return load.measurements().await(ANSWER_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException("the event loop of the load does not turn", e);
    }
  }

  /** Stops the watches before their connections, whose end would look like an outage. */
  @Override
  public void close() {
    try {
      loops.vertx().undeploy(deployment).await(ANSWER_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException("the event loop of the load does not turn", e);
    } finally {
      loops.close();
    }
  }
}
