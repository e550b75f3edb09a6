package dev.vertlet.testing;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PodStatuses;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Runs pods at once, as virtual-kubelet's mock provider does: either reporting what happens, or
 * saying nothing and waiting to be asked.
 */
public final class QuietProvider implements PodProvider {
  private final boolean reports;
  private final Map<String, PodReport> pods = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile @Nullable ProviderContext context; // set by the verticle, used by the test
  private volatile @Nullable ProviderException deletion;

  /**
   * @param reports whether it says by itself what happens
   */
  public QuietProvider(boolean reports) {
    this.reports = reports;
  }

  /** Every deletion fails like this; null: it works. */
  public void deletionFails(@Nullable ProviderException failure) {
    deletion = failure;
  }

  /** What a provider asks of the API server, not of a pod it knows. */
  public ProviderContext context() {
    ProviderContext given = context;
    if (given == null) {
      throw new AssertionError("the provider was not started");
    }
    return given;
  }

  /** A pod that somebody started. */
  public void has(PodReport report) {
    pods.put(report.pod().uid(), report);
  }

  /** A pod vanishes from the back end. */
  public void lose(PodRef pod) {
    pods.remove(pod.uid());
  }

  /** Verb and name of each create, update, delete and kill, in order. */
  public List<String> calls() {
    return calls;
  }

  /** Something changes in the back end. */
  public void becomes(PodRef pod, String node, PodStatusView status, boolean finished) {
    PodReport report = new PodReport(pod, node, status, finished);
    pods.put(pod.uid(), report);
    ProviderContext to = context;
    if (reports && to != null) {
      to.report(report);
    }
  }

  @Override
  public boolean reports() {
    return reports;
  }

  @Override
  public Future<Void> start(ProviderContext given) {
    context = given;
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> create(PodView pod) {
    calls.add("create " + pod.name());
    if (!pods.containsKey(pod.uid())) {
      becomes(
          pod.ref(),
          pod.nodeName(),
          PodStatuses.running(pod, "1.2.3.4", List.of("5.6.7.8"), TestPods.CREATED),
          false);
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> update(PodView pod) {
    calls.add("update " + pod.name());
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    calls.add("delete " + pod.name());
    ProviderException failure = deletion;
    if (failure != null) {
      return Future.failedFuture(failure);
    }
    PodReport held = pods.get(pod.uid());
    if (held == null) {
      return Future.failedFuture(new ProviderException(Kind.NOT_FOUND, "NotFound", "no such pod"));
    }
    PodStatusView end =
        PodStatuses.ended(held.status(), 0, "MockEnd", null, TestPods.CREATED.plusSeconds(9));
    if (reports) {
      becomes(pod.ref(), pod.nodeName(), end, true);
    } else {
      pods.remove(pod.uid());
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    calls.add("kill " + pod.name());
    pods.remove(pod.uid());
    return Future.succeededFuture();
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return Future.succeededFuture(Optional.ofNullable(pods.get(pod.uid())));
  }

  @Override
  public Future<List<PodReport>> list() {
    return Future.succeededFuture(List.copyOf(pods.values()));
  }
}
