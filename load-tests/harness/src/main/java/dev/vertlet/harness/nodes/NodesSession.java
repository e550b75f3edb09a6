package dev.vertlet.harness.nodes;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.run.EventLoops;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.StoppedException;
import dev.vertlet.kube.ApiAccess;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A {@link NodeWriter} on an event loop of its own, for the one thread of a command. */
public final class NodesSession implements AutoCloseable {
  /** Connection and everything that is counted share one. */
  private static final int LOOPS = 1;

  /** What is in flight when somebody wants the end is over by then, or nobody knows what it did. */
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
   * @param atOnce requests in flight at most, 1 to 1000
   */
  public static NodesSession open(ApiAccess access, int atOnce, Patience patience)
      throws InterruptedException {
    EventLoops loops = EventLoops.open(LOOPS);
    NodeWriter writer = new NodeWriter(access, atOnce);
    loops.await(
        loops.vertx().deployVerticle(writer), patience, () -> "the API server does not answer");
    return new NodesSession(loops, writer, patience);
  }

  /** The nodes with these labels. */
  public List<FoundNode> list(String selector) throws InterruptedException {
    return patience.await(
        writer.list(selector).toCompletionStage(), () -> "the API server does not answer");
  }

  /**
   * How the work ended.
   *
   * @param stopped whether somebody wanted the end before
   * @param trouble why it was given up; empty when it was not
   * @param left nodes that nothing was done about, or nobody knows what
   */
  public record Result(NodeOutcome outcome, boolean stopped, String trouble, int left) {}

  /** Makes and removes nodes, and tells on standard error how far it has come. */
  public Result run(NodePattern pattern, NodePlan plan) throws InterruptedException {
    return await(writer.run(pattern, plan), plan.size());
  }

  /** Removes nodes. */
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
      // what came of it is told as far as it is known
    }
  }

  @Override
  public void close() {
    loops.close();
  }
}
