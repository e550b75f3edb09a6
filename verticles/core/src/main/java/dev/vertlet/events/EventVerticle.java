package dev.vertlet.events;

import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.events.EventCorrelator.Series;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events with few concurrent requests, in the lowest lane but one. Events about one object
 * are written one after the other, as a kubelet does, so that watchers see them in order; events
 * about different objects are written concurrently. An object keeps its slot while its event is
 * retried: an API server that is down gets few requests, and one that rejects some events delays
 * few others.
 */
public final class EventVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(EventVerticle.class);

  /**
   * Limit of waiting events, beyond which the oldest is dropped; client-go's queue of 1,000 drops
   * the newest. With three events per pod this covers the simultaneous start of 3,000 pods, as
   * statuses have priority.
   */
  private static final int MAX_WAITING = 10_000;

  /** Limit of waiting events of a node with a rate limit; client-go's queue length. */
  private static final int MOST_OF_A_NODE = 1_000;

  private static final Metric DROPPED =
      Metric.counter(
          "vertlet_events_dropped_total",
          "events",
          "that were not written. `spam`: of this type the node had sent 25 about the object, and 1"
              + " more for every 5 minutes; `overflow`: 10,000 newer ones were waiting; `failed`:"
              + " the API server did not accept them. All three exist from the start",
          "reason");

  private static final int MAX_IN_FLIGHT = 8;

  /** client-go's recorder tries an event 12 times, 10 s apart. */
  private static final int MAX_TRIES = 12;

  /**
   * Delay after a temporary failure, unless the server works again before: 1 s doubling to 10 s.
   */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10), 2, 0.2);

  private final KubeClient kube;
  private final Bus bus;
  private final Env env;
  private final EventCorrelator correlator;
  private final int maxWaiting;
  private final Counter spam;
  private final Counter overflowed;
  private final Counter failed;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /**
   * Objects with an event that is being written or retried, and the events about them that come
   * next: few, as many events about one object are dropped as spam.
   */
  private final Map<Subject, List<Waiting>> writing = new HashMap<>();

  /** Nodes with a rate limit, by name. */
  private final Map<String, NodeThrottle<Waiting>> throttles = new HashMap<>();

  private final Function<String, EventLimit> limits;

  /** Number of dropped events since the queue was last empty. */
  private long overflow;

  /**
   * Creates the verticle.
   *
   * @param limits rate limit of a node by its name; read for each event
   */
  public EventVerticle(Function<String, EventLimit> limits, KubeClient kube, Bus bus, Env env) {
    this(limits, kube, bus, env, MAX_WAITING);
  }

  /** For tests with a smaller queue. */
  EventVerticle(
      Function<String, EventLimit> limits, KubeClient kube, Bus bus, Env env, int maxWaiting) {
    this.limits = limits;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
    this.correlator = new EventCorrelator();
    this.maxWaiting = maxWaiting;
    this.spam = dropped("spam", env.meters());
    this.overflowed = dropped("overflow", env.meters());
    this.failed = dropped("failed", env.meters());
  }

  private static Counter dropped(String reason, MeterRegistry metrics) {
    return DROPPED.counter(metrics, reason);
  }

  @Override
  public Future<?> start() {
    return Future.all(
        bus.consume(OBJECT_EVENT, this::onEvent).completion(),
        bus.consume(NODE_RELEASED, m -> unlimited(m.node())).completion());
  }

  private void onEvent(ObjectEvent event) {
    Series series = correlator.occurred(event, env.clock().instant());
    if (series == null) {
      spam.increment();
    } else {
      limited(new Waiting(event, series, 1));
    }
  }

  /** Queues an event in its node's queue, or in the common one. */
  private void limited(Waiting next) {
    String node = next.event().node();
    EventLimit limit = limits.apply(node);
    if (limit.none()) {
      unlimited(node);
      enqueue(next);
      return;
    }
    NodeThrottle<Waiting> throttle = throttles.get(node);
    if (throttle == null) {
      throttle = new NodeThrottle<>(limit, env.clock().millis());
      throttles.put(node, throttle);
    } else if (!limit.equals(throttle.limit())) {
      throttle.limit(limit, env.clock().millis());
    }
    boolean begins = throttle.size() == 0;
    if (throttle.size() >= Math.min(maxWaiting, MOST_OF_A_NODE)) {
      throttle.dropOldest();
      overflowed.increment();
    }
    throttle.add(next);
    if (begins) {
      release(node, throttle);
    }
  }

  private void unlimited(String node) {
    NodeThrottle<Waiting> throttle = throttles.remove(node);
    if (throttle != null) {
      throttle.all().forEach(this::enqueue);
    }
  }

  private void release(String node, NodeThrottle<Waiting> throttle) {
    throttle.due(env.clock().millis()).forEach(this::enqueue);
    if (throttle.size() > 0) {
      vertx.setTimer(
          throttle.waitMillis(),
          id -> {
            if (throttles.get(node) == throttle) {
              release(node, throttle);
            }
          });
    }
  }

  private void enqueue(Waiting next) {
    if (waiting.size() >= maxWaiting) {
      waiting.removeFirst();
      overflowed.increment();
      if (overflow++ == 0) {
        LOG.info("API server accepts events too slowly; dropping the oldest");
      }
    }
    waiting.addLast(next);
    pump();
  }

  private void pump() {
    while (writing.size() < MAX_IN_FLIGHT && !waiting.isEmpty()) {
      Waiting next = waiting.removeFirst();
      List<Waiting> behind = writing.get(next.subject());
      if (behind == null) {
        writing.put(next.subject(), new ArrayList<>(0));
        write(next);
      } else {
        behind.add(next);
      }
    }
    if (overflow > 0 && waiting.isEmpty()) {
      LOG.atInfo().addKeyValue("dropped", overflow).log("events are no longer dropped");
      overflow = 0;
    }
  }

  private void write(Waiting next) {
    kube.send(request(next).metadataOnly())
        .onComplete(
            ended -> {
              if (ended.succeeded() || !persists(next, KubeException.from(ended.cause()))) {
                written(next);
              }
            });
  }

  /** Puts the following events about the same object at the head of the queue. */
  private void written(Waiting last) {
    List<Waiting> behind = writing.remove(last.subject());
    if (behind != null) {
      for (int i = behind.size() - 1; i >= 0; i--) {
        waiting.addFirst(behind.get(i));
      }
    }
    pump();
  }

  private static KubeRequest request(Waiting next) {
    String namespace = EventObject.namespace(next.event());
    if (next.series().isNew()) {
      Buffer body = EventObject.create(next.event(), next.series());
      return KubeRequest.create(Lane.EVENT, KubePath.events(namespace), body);
    }
    Buffer patch = EventObject.again(next.series());
    KubePath path = KubePath.event(namespace, next.series().name());
    return KubeRequest.patch(Lane.EVENT, path, MediaType.MERGE_PATCH, patch);
  }

  /** Whether the event is retried and its object keeps the slot. */
  private boolean persists(Waiting tried, KubeException failure) {
    Series series = tried.series();
    boolean expired = failure.kind() == KubeException.Kind.NOT_FOUND && !series.isNew();
    if (expired) {
      // the API server keeps events for an hour: create a new object
      Series again = correlator.again(tried.event(), series, env.clock().instant());
      write(new Waiting(tried.event(), again, 1));
      return true;
    }
    if (failure.recovery() == Recovery.RETRY && tried.tries() < MAX_TRIES) {
      Waiting again = new Waiting(tried.event(), series, tried.tries() + 1);
      Duration delay = BACKOFF.delay(tried.tries(), env.random(), failure);
      kube.retryLater(delay, failure, () -> write(again));
      return true;
    }
    if (failure.kind() != KubeException.Kind.ALREADY_EXISTS) {
      // an existing object shows that the write succeeded although its answer was lost
      failed.increment();
      LOG.atDebug()
          .addKeyValue("reason", tried.event().reason())
          .addKeyValue("error", failure.getMessage())
          .log("event dropped");
    }
    return false;
  }

  /** The object that an event is about. */
  private record Subject(String kind, String namespace, String name, String uid) {}

  private record Waiting(ObjectEvent event, Series series, int tries) {
    Subject subject() {
      return new Subject(event.kind(), event.namespace(), event.name(), event.uid());
    }
  }
}
