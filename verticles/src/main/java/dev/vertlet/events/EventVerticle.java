package dev.vertlet.events;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.events.EventCorrelator.Series;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Recovery;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events, a few at a time, in the lowest lane but one. */
public final class EventVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(EventVerticle.class);

  /**
   * Waiting events beyond this push out the oldest; client-go's queue of 1,000 drops the newest.
   * Three events per pod make that the start of 3,000 pods at once, as statuses go first.
   */
  private static final int MAX_WAITING = 10_000;

  private static final int MAX_IN_FLIGHT = 8;

  /** client-go's recorder tries an event 12 times, 10 s apart. */
  private static final int MAX_TRIES = 12;

  /** Rest after a failure that passes by itself: 1 s doubling to 10 s. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10), 2, 0.2);

  private final KubeClient kube;
  private final Bus bus;
  private final Clock clock;
  private final RandomGenerator random;
  private final EventCorrelator correlator;
  private final Counter dropped;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int inFlight;

  /** Dropped since there was last no event waiting. */
  private long overflow;

  private boolean resting;

  public EventVerticle(
      KubeClient kube, Bus bus, Clock clock, RandomGenerator random, MeterRegistry metrics) {
    this.kube = kube;
    this.bus = bus;
    this.clock = clock;
    this.random = random;
    this.correlator = new EventCorrelator();
    this.dropped =
        Counter.builder("vertlet.events.dropped")
            .description("Kubernetes Events that were never written")
            .register(metrics);
  }

  @Override
  public Future<?> start() {
    return bus.consume(OBJECT_EVENT, this::onEvent).completion();
  }

  private void onEvent(ObjectEvent event) {
    if (waiting.size() >= MAX_WAITING) {
      waiting.removeFirst();
      dropped.increment();
      if (overflow++ == 0) {
        LOG.info("events come faster than the API server takes them; dropping the oldest");
      }
    }
    waiting.addLast(new Waiting(event, correlator.occurred(event, clock.instant()), 1));
    pump();
  }

  private void pump() {
    while (!resting && inFlight < MAX_IN_FLIGHT && !waiting.isEmpty()) {
      write(waiting.removeFirst());
    }
    if (overflow > 0 && waiting.isEmpty()) {
      LOG.atInfo().addKeyValue("dropped", overflow).log("events are written again as they come");
      overflow = 0;
    }
  }

  private void write(Waiting next) {
    inFlight++;
    kube.send(request(next).metadataOnly())
        .onFailure(failure -> onFailed(next, KubeException.from(failure)))
        .onComplete(
            ended -> {
              inFlight--;
              pump();
            });
  }

  private static KubeRequest request(Waiting next) {
    String namespace = EventObject.namespace(next.event());
    if (next.series().count() == 1) {
      Buffer body = EventObject.create(next.event(), next.series());
      return KubeRequest.create(Lane.EVENT, KubePath.events(namespace), body);
    }
    Buffer patch = EventObject.again(next.series());
    KubePath path = KubePath.event(namespace, next.series().name());
    return KubeRequest.patch(Lane.EVENT, path, MediaType.MERGE_PATCH, patch);
  }

  private void onFailed(Waiting failed, KubeException failure) {
    boolean expired = failure.kind() == KubeException.Kind.NOT_FOUND && failed.series().count() > 1;
    if (expired) {
      // the API server keeps events for an hour; start a new object
      correlator.forget(failed.event(), failed.series());
      onEvent(failed.event());
    } else if (failure.recovery() == Recovery.RETRY && failed.tries() < MAX_TRIES) {
      waiting.addFirst(new Waiting(failed.event(), failed.series(), failed.tries() + 1));
      rest(BACKOFF.delay(failed.tries(), random, failure));
    } else if (failure.kind() != KubeException.Kind.ALREADY_EXISTS) {
      // one that exists landed although its answer was lost
      dropped.increment();
      LOG.atDebug()
          .addKeyValue("reason", failed.event().reason())
          .addKeyValue("error", failure.getMessage())
          .log("event dropped");
    }
  }

  private void rest(Duration delay) {
    if (!resting) {
      resting = true;
      vertx.setTimer(
          Math.max(1, delay.toMillis()),
          id -> {
            resting = false;
            pump();
          });
    }
  }

  private record Waiting(ObjectEvent event, Series series, int tries) {}
}
