package dev.vertlet.provider.pod;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.failure.ProviderCall;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports for a provider that {@linkplain PodProvider#reports does not report}: polls its list and
 * reports what changed. Confined to the context that {@link #start} is called on; answers may come
 * from any thread.
 */
public final class PolledProvider extends ForwardingProvider {
  private static final Logger LOG = LoggerFactory.getLogger(PolledProvider.class);

  /**
   * Delay before the first poll, and from the end of one poll to the next; virtual-kubelet's value.
   */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** A list call without an answer for this long is abandoned and repeated. */
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  private final Duration period;
  private final Map<String, Known> pods = new HashMap<>();
  private @Nullable ProviderContext context;
  private @Nullable Context own;
  private long timer = -1;
  private boolean stopped;

  /** The requested state and the last reported status of one pod. */
  private static final class Known {
    PodView pod;
    PodStatusView last;
    boolean deleting;

    Known(PodView pod) {
      this.pod = pod;
      this.last = pod.status();
    }
  }

  /**
   * Creates a provider that polls every 5 s.
   *
   * @param provider whose {@link PodProvider#reports} is false
   */
  public PolledProvider(PodProvider provider) {
    this(provider, PERIOD);
  }

  /** Creates a provider that polls with another delay from the end of one poll to the next. */
  public static PolledProvider every(Duration period, PodProvider provider) {
    return new PolledProvider(provider, period);
  }

  private PolledProvider(PodProvider provider, Duration period) {
    super(provider);
    this.period = period;
  }

  @Override
  public Future<Void> start(ProviderContext given) {
    context = given;
    own = given.vertx().getOrCreateContext();
    return provider.start(given).onSuccess(v -> own().runOnContext(run -> lookLater()));
  }

  private ProviderContext context() {
    if (context == null) {
      throw new IllegalStateException("the provider is not started");
    }
    return context;
  }

  private Context own() {
    if (own == null) {
      throw new IllegalStateException("the provider is not started");
    }
    return own;
  }

  /** Number of known pods. */
  int size() {
    return pods.size();
  }

  /** Every poll of the list reports unclaimed pods. */
  @Override
  public boolean tellsUnclaimed() {
    return true;
  }

  private void lookLater() {
    if (!stopped) {
      timer = context().vertx().setTimer(period.toMillis(), id -> look());
    }
  }

  private void look() {
    List<Known> asked = new ArrayList<>(pods.values());
    ask(provider::list)
        .onSuccess(reports -> compare(asked, reports))
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("error", failure.getMessage())
                    .log("provider cannot be listed; the states of its pods are unknown"))
        .onComplete(done -> lookLater());
  }

  /** Pods that were added while the list call was in progress wait for the next poll. */
  private void compare(List<Known> asked, List<PodReport> reports) {
    Map<String, PodReport> found = new HashMap<>();
    reports.forEach(report -> found.put(report.pod().uid(), report));
    for (Known known : asked) {
      boolean current = pods.get(known.pod.uid()) == known;
      if (current && !known.deleting && !known.last.phase().terminal()) {
        compare(known, found.get(known.pod.uid()));
      }
    }
    found.keySet().removeAll(pods.keySet());
    found.values().forEach(context()::unclaimed);
  }

  private void compare(Known known, @Nullable PodReport report) {
    if (report != null) {
      say(known, report.status(), report.finished());
    } else {
      PollRules.missing(known.last, known.pod.creationTimestamp(), context().clock().instant())
          .ifPresent(status -> say(known, status, true));
    }
  }

  private void say(Known known, PodStatusView status, boolean finished) {
    if (finished || !status.equals(known.last)) {
      known.last = status;
      context().report(new PodReport(known.pod.ref(), known.pod.nodeName(), status, finished));
    }
  }

  private <T> Future<T> ask(Supplier<Future<T>> call) {
    return ProviderCall.in(own(), CALL_TIMEOUT, call);
  }

  @Override
  public Future<Void> create(PodView pod) {
    return ask(() -> provider.create(pod)).onSuccess(v -> remember(pod));
  }

  @Override
  public Future<Void> update(PodView pod) {
    return ask(() -> provider.update(pod)).onSuccess(v -> remember(pod));
  }

  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return ask(() -> provider.create(pod, content)).onSuccess(v -> remember(pod));
  }

  @Override
  public Future<Void> update(PodView pod, PodContent content) {
    return ask(() -> provider.update(pod, content)).onSuccess(v -> remember(pod));
  }

  private void remember(PodView pod) {
    Known known = pods.computeIfAbsent(pod.uid(), uid -> new Known(pod));
    known.pod = pod;
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    remember(pod);
    Known known = pods.computeIfAbsent(pod.uid(), uid -> new Known(pod));
    known.deleting = true;
    return ask(() -> provider.delete(pod, grace))
        .onSuccess(
            v -> say(known, PollRules.deleted(known.last, context().clock().instant()), true))
        .onFailure(failure -> known.deleting = false);
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    pods.remove(pod.uid());
    return provider.kill(pod);
  }

  @Override
  public Future<Void> release(String node) {
    pods.values().removeIf(known -> known.pod.nodeName().equals(node));
    return provider.release(node);
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    if (context != null) {
      context.vertx().cancelTimer(timer);
    }
    return provider.stop();
  }
}
