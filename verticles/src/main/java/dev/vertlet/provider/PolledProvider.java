package dev.vertlet.provider;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
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
 * Speaks for a provider that {@linkplain PodProvider#reports does not report}: asks it for its list
 * again and again and reports what changed. Confined to the context that {@link #start} is called
 * on; answers may come from any thread.
 */
public final class PolledProvider extends ForwardingProvider {
  private static final Logger LOG = LoggerFactory.getLogger(PolledProvider.class);

  /** From the end of one look to the next, as virtual-kubelet has it; also before the first. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** A list without an answer for so long is given up and asked for again. */
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  private final Duration period;
  private final Map<String, Known> pods = new HashMap<>();
  private @Nullable ProviderContext context;
  private @Nullable Context own;
  private long timer = -1;
  private boolean stopped;

  /** What was asked for one pod, and what was said last. */
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
   * @param provider whose {@link PodProvider#reports} is false
   */
  public PolledProvider(PodProvider provider) {
    this(provider, PERIOD);
  }

  /** With another pause from the end of one look to the next. */
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

  /** How many pods something is known of. */
  int size() {
    return pods.size();
  }

  /** Every look at the list does. */
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
                    .log("provider not listed; what its pods do is not known"))
        .onComplete(done -> lookLater());
  }

  /** Pods that came while the list was on its way wait for the next one. */
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
