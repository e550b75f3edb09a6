package dev.vertlet.harness.nodes;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.run.EventLoops;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.StoppedException;
import dev.vertlet.kube.access.ApiAccess;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A {@link NodeWriter} with its own event loop, for the single thread of a command. */
public final class NodesSession implements AutoCloseable {
  /** Number of event loops: connection and counters share one. */
  private static final int LOOPS = 1;

  /** Time limit for requests in flight after a stop; the result of later ones is unknown. */
  private static final int SETTLE_SECONDS = 10;

  private final EventLoops loops;
  private final NodeWriter writer;
  private final Patience patience;

  private NodesSession(EventLoops loops, NodeWriter writer, Patience patience) {
    this.loops = loops;
    this.writer = writer;
    this.patience = patience;
  }

  /**
   * Connects to a cluster.
   *
   * @param atOnce limit of requests in flight, 1 to 1000
   */
  public static NodesSession open(ApiAccess access, int atOnce, Patience patience)
      throws InterruptedException {
    EventLoops loops = EventLoops.open(LOOPS);
    NodeWriter writer = new NodeWriter(access, atOnce);
    loops.await(
        loops.vertx().deployVerticle(writer), patience, () -> "the API server does not answer");
    return new NodesSession(loops, writer, patience);
  }

  /** Lists the nodes with matching labels. */
  public List<FoundNode> list(String selector) throws InterruptedException {
    return patience.await(
        writer.list(selector).toCompletionStage(), () -> "the API server does not answer");
  }

  /**
   * Result of a command.
   *
   * @param stopped whether it was stopped before the end
   * @param trouble reason for giving up; empty for none
   * @param left number of nodes that were not handled or whose result is unknown
   */
  public record Result(NodeOutcome outcome, boolean stopped, String trouble, int left) {}

  /** Creates and deletes nodes and shows the progress on standard error. */
  public Result run(NodePattern pattern, NodePlan plan) throws InterruptedException {
    return await(writer.run(pattern, plan), plan.size());
  }

  public Result delete(NodePlan plan) throws InterruptedException {
    return await(writer.delete(plan), plan.size());
  }

  private Result await(Future<Void> work, int total) throws InterruptedException {
    boolean stopped = false;
    String trouble = "";
    try (Progress progress = Progress.create()) {
      progress.begin("nodes", total);
      patience.await(
          work.toCompletionStage(),
          () -> "%d of %d nodes done".formatted(writer.done(), total),
          () -> progress.at(writer.done(), writer.trouble()));
      progress.at(writer.done());
    } catch (StoppedException e) {
      stopped = true;
      settle(work);
    } catch (FailedException e) {
      trouble = String.valueOf(e.getMessage());
      settle(work);
    }
    try {
      NodeOutcome outcome = writer.outcome().await(SETTLE_SECONDS, SECONDS);
      return new Result(outcome, stopped, trouble, total - writer.done());
    } catch (TimeoutException e) {
      throw new FailedException("the event loop does not turn", e);
    }
  }

  private void settle(Future<Void> work) {
    writer.cancel();
    try {
      work.await(SETTLE_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      // the outcome covers what is known so far
    }
  }

  @Override
  public void close() {
    loops.close();
  }
}
