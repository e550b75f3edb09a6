package dev.vertlet.pods;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodQueryResult;
import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A {@link PodSync} on a simulated loop, for the simulation of a whole agent. */
public final class SimulatedSync {
  private static final long CALL_TIMEOUT_MILLIS = 120_000;

  private final CoreLoop loop;
  private final Consumer<PodReport> reports;
  private final PodSync sync;
  private Predicate<String> abandoned = node -> false;

  public SimulatedSync(
      Collection<String> nodes,
      PodProvider provider,
      CoreLoop loop,
      Consumer<PodReport> reports,
      LongSupplier nanos,
      RandomGenerator random) {
    this.loop = loop;
    this.reports = reports;
    this.sync = new PodSync(nodes, List.of(), provider, loop, new Around(), nanos, random);
  }

  /** Sets the nodes of which the shard has to end what is left. */
  SimulatedSync abandoned(Predicate<String> nodes) {
    abandoned = nodes;
    return this;
  }

  public Future<?> start(ProviderContext context) {
    return sync.start(context);
  }

  public Future<?> stop() {
    return sync.stop();
  }

  public void observed(PodView pod) {
    sync.observed(pod);
  }

  public void enqueued(PodRef pod) {
    sync.enqueued(pod);
  }

  public void adopted(String node) {
    sync.adopted(node);
  }

  public void released(String node) {
    sync.released(node);
  }

  public void elsewhere(PodRef pod) {
    sync.elsewhere(pod);
  }

  public void gone(PodRef pod) {
    sync.gone(pod);
  }

  public void synced(String node, int term) {
    sync.synced(List.of(node), term);
  }

  public void acquired(String node, int term) {
    sync.acquired(node, term);
  }

  public void lost(String node) {
    sync.lost(node);
  }

  public void reported(PodReport report) {
    sync.reported(report);
  }

  public void unclaimed(PodReport pod) {
    sync.unclaimed(pod);
  }

  public PodQueryResult known(PodQuery asked) {
    return sync.known(asked);
  }

  /** How many pods have a mailbox. */
  public int size() {
    return sync.size();
  }

  private final class Around implements PodSync.Surroundings {
    @Override
    public boolean abandoned(String node) {
      return abandoned.test(node);
    }

    @Override
    public <T> Future<T> ask(Supplier<Future<T>> call) {
      Future<T> answer = ProviderCall.ask(call);
      if (answer.isComplete()) {
        return answer;
      }
      Promise<T> inTime = Promise.promise();
      long timer =
          loop.setTimer(
              CALL_TIMEOUT_MILLIS,
              () ->
                  inTime.tryFail(
                      new ProviderException(
                          ProviderException.Kind.TEMPORARY, "ProviderTimeout", "no answer")));
      answer.onComplete(
          done ->
              loop.run(
                  () -> {
                    loop.cancelTimer(timer);
                    if (done.succeeded()) {
                      inTime.tryComplete(done.result());
                    } else {
                      inTime.tryFail(done.cause());
                    }
                  }));
      return inTime.future();
    }

    @Override
    public void report(PodReport report) {
      reports.accept(report);
    }

    @Override
    public void event(ObjectEvent event) {}

    @Override
    public void staticEnded(PodRef pod) {}
  }
}
