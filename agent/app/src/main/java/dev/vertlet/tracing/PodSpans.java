package dev.vertlet.tracing;

import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Creates traces of pod timelines: {@code pod start} from the pod's first sight until the API
 * server shows it as Ready, {@code pod end} from its deletion until it is gone. Each has one span
 * per step. The traces are created from {@link PodStats}, up to a second later, so that they do not
 * slow down the pods.
 *
 * <p>Attributes follow OpenTelemetry's semantic conventions for Kubernetes.
 */
final class PodSpans extends VerticleBase {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Tracer tracer;
  private final Bus bus;
  private final Clock clock;
  private final LongSupplier nanos;

  /**
   * @param nanos monotonic clock, as in {@link PodTimeline#seen()}
   */
  PodSpans(Tracer tracer, Bus bus, Clock clock, LongSupplier nanos) {
    this.tracer = tracer;
    this.bus = bus;
    this.clock = clock;
    this.nanos = nanos;
  }

  @Override
  public Future<?> start() {
    return bus.consume(Addresses.POD_STATS, this::on).completion();
  }

  private void on(PodStats stats) {
    Instant now = clock.instant();
    long origin = now.getEpochSecond() * SECOND + now.getNano() - nanos.getAsLong();
    stats.over().forEach(timeline -> trace(timeline, origin));
  }

  /**
   * @param origin epoch nanoseconds at which the monotonic clock was 0
   */
  private void trace(PodTimeline way, long origin) {
    long seen = origin + way.seen();
    Span whole =
        tracer
            .spanBuilder(way.ending() ? "pod end" : "pod start")
            .setNoParent()
            .setStartTimestamp(seen, TimeUnit.NANOSECONDS)
            .setAttribute("k8s.namespace.name", way.pod().namespace())
            .setAttribute("k8s.pod.name", way.pod().name())
            .setAttribute("k8s.pod.uid", way.pod().uid())
            .setAttribute("k8s.node.name", way.node())
            .startSpan();
    if (whole.isRecording()) {
      Context parent = Context.root().with(whole);
      long begun = seen;
      for (PodTimeline.Mark mark : way.marks()) {
        long reached = seen + mark.after();
        tracer
            .spanBuilder(mark.step().name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .setParent(parent)
            .setStartTimestamp(begun, TimeUnit.NANOSECONDS)
            .startSpan()
            .end(reached, TimeUnit.NANOSECONDS);
        begun = reached;
      }
    }
    whole.end(seen + way.took(), TimeUnit.NANOSECONDS);
  }
}
