package dev.vertlet.kube.client;

import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.access.AccessSnapshot;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.access.Credentials;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of one API server. Confined to the event-loop context of the verticle that created it;
 * {@link #send} may be called from any context.
 *
 * <p>Promised: strict priority between lanes for waiting requests; leases have their own connection
 * and in-flight window and are never paused; every request completes at the latest its timeout
 * after it left its lane, or left it again with fresh credentials. Not promised: order between two
 * requests, or any retry except the one with fresh credentials after a 401; {@link
 * KubeException#recovery()} says how to handle a failure.
 */
public final class KubeClient {
  private static final Logger LOG = LoggerFactory.getLogger(KubeClient.class);

  private final ContextInternal context;
  private final KubeClientOptions options;
  private final AccessSnapshot access;
  private final Links links;
  private final KubeMetrics metrics;
  private final Calls calls;
  private final RequestDispatcher main;
  private final RequestDispatcher lease;
  private final StreamedAnswers streams;

  /** Budgets of the senders that have a limit. */
  private final Map<String, RequestBudget> budgets = new ConcurrentHashMap<>();

  private boolean closed;

  private KubeClient(
      ContextInternal context,
      KubeClientOptions options,
      ApiAccess source,
      PreparedAccess prepared,
      MeterRegistry registry,
      Clocks clocks) {
    Vertx vertx = context.owner();
    this.context = context;
    this.options = options;
    this.access = prepared.access();
    this.metrics = new KubeMetrics(registry);
    this.links = new Links(vertx, options, access, prepared.engine(), metrics);
    Credentials credentials =
        new Credentials(
            () -> context.executeBlocking(source::load, false),
            source.fixed() != null,
            access,
            clocks.wall(),
            metrics.refreshes(),
            this::renew);
    this.calls = new Calls(vertx, options, access, links, credentials, metrics, clocks.steady());
    this.streams = new StreamedAnswers(vertx, calls, links);
    this.main =
        new RequestDispatcher(
            vertx,
            links.main(),
            options.windows().main(),
            options.cap().bucket(),
            x -> start(x, links.main()));
    this.lease =
        new RequestDispatcher(
            vertx, links.lease(), options.windows().lease(), null, x -> start(x, links.lease()));
    metrics.gauges(main.queue(), lease.queue(), main::inFlight, lease::inFlight);
  }

  /**
   * Reads the configuration on a worker and builds a client confined to the calling event-loop
   * context, or to a new one if the caller has none. Does not connect: the first request notices an
   * absent API server.
   *
   * @return fails with {@link AccessException} when the configuration cannot be used
   */
  public static Future<KubeClient> create(
      Vertx vertx, KubeClientOptions options, ApiAccess access, MeterRegistry registry) {
    return create(
        vertx, options, access, registry, new Clocks(Clock.systemUTC(), SteadyClock.ofMachine()));
  }

  /** The wall clock for expiries, the steady clock for durations. */
  private record Clocks(Clock wall, Clock steady) {}

  public static Future<KubeClient> create(
      Vertx vertx,
      KubeClientOptions options,
      ApiAccess access,
      MeterRegistry registry,
      Clock clock) {
    return create(vertx, options, access, registry, new Clocks(clock, clock));
  }

  private static Future<KubeClient> create(
      Vertx vertx,
      KubeClientOptions options,
      ApiAccess access,
      MeterRegistry registry,
      Clocks clocks) {
    ContextInternal context = (ContextInternal) vertx.getOrCreateContext();
    if (!context.isEventLoopContext()) {
      return Future.failedFuture(
          new IllegalStateException("a KubeClient lives on an event loop, not on a worker"));
    }
    return context
        .executeBlocking(() -> PreparedAccess.of(vertx, options, access.load()), false)
        .map(prepared -> new KubeClient(context, options, access, prepared, registry, clocks))
        .onSuccess(client -> LOG.info("API server {}", client.access));
  }

  /**
   * Sends a request when its lane has its turn.
   *
   * @return completes on the caller's context (immediately, without a hop, if that is on this
   *     client's event loop); fails with {@link KubeException} only
   */
  public Future<KubeResponse> send(KubeRequest request) {
    return send(request, null);
  }

  /** Creates a set of requests that can be given up together. */
  public RequestScope scope() {
    return scope("");
  }

  /**
   * Creates a scope for one of the senders that share this client.
   *
   * @param sender a node; empty for none
   */
  public RequestScope scope(String sender) {
    return new ClientScope(this, sender);
  }

  /**
   * Limits the rate of a sender's scopes from now on. Callable from any context.
   *
   * @param perSecond sustained requests per second; 0 for no own limit
   * @param burst requests that may leave at once; 0 for as many as in one second
   */
  public void limit(String sender, int perSecond, int burst) {
    if (perSecond == 0) {
      budgets.remove(sender);
    } else {
      budgets.compute(
          sender,
          (known, old) ->
              old != null && old.is(perSecond, burst) ? old : new RequestBudget(perSecond, burst));
    }
  }

  boolean limited(String sender) {
    return budgets.containsKey(sender);
  }

  Future<KubeResponse> send(KubeRequest request, ClientScope scope, String sender) {
    RequestBudget budget = budgets.isEmpty() ? null : budgets.get(sender);
    long wait = budget == null ? 0 : budget.reserve();
    return wait == 0
        ? send(request, scope)
        : context
            .owner()
            .timer(TimeUnit.NANOSECONDS.toMillis(wait) + 1, TimeUnit.MILLISECONDS)
            .compose(turn -> send(request, scope));
  }

  private Future<KubeResponse> send(KubeRequest request, @Nullable ClientScope scope) {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    PromiseInternal<KubeResponse> promise = caller.promise();
    Exchange exchange = new Exchange(request, promise, scope, System.nanoTime());
    context.emit(exchange, this::submit);
    return promise.future();
  }

  /** Whether the server answers: false before its first answer. Callable from any context. */
  public boolean reachable() {
    return calls.health().reachable();
  }

  /**
   * Fails waiting requests and those in flight, ends all watches and closes all connections. Stop
   * the reflectors first: they get no notice. Callable from any context.
   */
  public Future<Void> close() {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    PromiseInternal<Void> promise = caller.promise();
    context.emit(promise, p -> closeNow().onComplete(p));
    return promise.future();
  }

  /**
   * Calls {@code listener} on the calling context whenever any request succeeds after an outage, a
   * refusal of the credentials or a 5xx: what waits in back-off may try at once. While some
   * requests succeed and others fail, calls are up to 8 s apart.
   */
  public void whenServerReturns(Runnable listener) {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    context.runOnContext(v -> onReturn(() -> caller.runOnContext(w -> listener.run())));
  }

  /**
   * Runs a task once on the calling context: after {@code delay}, at least 1 ms, or before as soon
   * as the server works again, if its trouble was the failure; see {@link #whenServerReturns}.
   */
  public PendingRetry retryLater(Duration delay, KubeException failure, Runnable task) {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    return new PendingRetry(this, caller, delay, failure, task);
  }

  /** Calls {@code listener} on the client's context when the server is back after trouble. */
  public void onReturn(Runnable listener) {
    calls.health().onReturn(listener);
  }

  public void offReturn(Runnable listener) {
    calls.health().offReturn(listener);
  }

  public ContextInternal context() {
    return context;
  }

  public KubeClientOptions options() {
    return options;
  }

  public KubeMetrics metrics() {
    return metrics;
  }

  /**
   * Opens a stream of watch events. Must be called on the client's context, on which it calls
   * {@code receiver}.
   *
   * @param query already encoded
   */
  WatchCall watch(KubePath path, String query, String accept, WatchCall.Receiver receiver) {
    return streams.open(new WatchCall.Asked(Verb.WATCH, path, query, accept), receiver);
  }

  /**
   * Reads an answer of any size without keeping it, such as that of {@code /metrics}. It does not
   * queue in a lane, and has a connection other than that of requests, whose answers it would
   * delay. Callable from any context.
   *
   * @param bytes receives the parts of the answer's body, on the client's context
   * @return completes on the caller's context after the last byte; fails with {@link KubeException}
   *     when the answer is another than 200, breaks off, or takes longer than a request may
   */
  public Future<Void> read(KubePath path, String accept, Consumer<Buffer> bytes) {
    PromiseInternal<Void> promise =
        ((ContextInternal) context.owner().getOrCreateContext()).promise();
    BodyReader reader = new BodyReader(path, options.timeouts().request(), bytes, promise);
    context.emit(accept, type -> streams.read(reader, type));
    return promise.future();
  }

  /** Callable from any context. */
  void close(ClientScope scope) {
    context.emit(scope, this::giveUp);
  }

  /**
   * Fails waiting requests before those in flight: each of the latter makes room for a waiting one.
   */
  private void giveUp(ClientScope scope) {
    for (Exchange exchange : scope.end()) {
      if (exchange.settled == null) {
        exchange.fail(cancelled(exchange));
        dispatcher(exchange).givenUp();
      }
    }
    for (Exchange exchange : scope.end()) {
      calls.giveUp(exchange, cancelled(exchange));
    }
  }

  private static KubeException cancelled(Exchange exchange) {
    return Failures.cancelled(exchange.request.verb(), exchange.request.path());
  }

  private static void failClosed(Exchange exchange) {
    exchange.fail(Failures.closed(exchange.request.verb(), exchange.request.path()));
  }

  private void submit(Exchange exchange) {
    if (closed) {
      failClosed(exchange);
    } else if (!exchange.enterScope()) {
      exchange.fail(cancelled(exchange));
    } else {
      dispatcher(exchange).submit(exchange);
    }
  }

  private RequestDispatcher dispatcher(Exchange exchange) {
    return exchange.request.lane() == Lane.LEASE ? lease : main;
  }

  private void start(Exchange exchange, Link link) {
    calls.start(exchange, link, outcome -> settle(exchange, outcome));
  }

  private void settle(Exchange exchange, Calls.Outcome outcome) {
    RequestDispatcher dispatcher = dispatcher(exchange);
    KubeException failure = outcome.failure();
    KubeResponse response = outcome.response();
    if (response != null) {
      exchange.succeed(response);
    } else if (failure != null) {
      if (failure.kind() == KubeException.Kind.UNAUTHORIZED && !closed) {
        unauthorized(exchange, failure);
      } else {
        throttle(failure);
        exchange.fail(failure);
      }
    }
    if (failure != null && failure.kind() == KubeException.Kind.TRANSPORT) {
      // a dying connection fails its requests before it closes: the next requests wait for one turn
      // of the loop
      context.runOnContext(v -> dispatcher.ended());
    } else {
      dispatcher.ended();
    }
  }

  private void unauthorized(Exchange exchange, KubeException failure) {
    if (exchange.retried) {
      exchange.fail(calls.stillUnauthorized(failure, null));
      return;
    }
    calls
        .refresh(exchange)
        .onComplete(
            fresh -> {
              if (fresh.succeeded() && fresh.result() && !closed) {
                exchange.again();
                metrics.retries().increment();
                dispatcher(exchange).resubmit(exchange);
              } else {
                exchange.fail(calls.stillUnauthorized(failure, fresh.cause()));
              }
            });
  }

  private void throttle(KubeException failure) {
    if (failure.kind() == KubeException.Kind.THROTTLED) {
      metrics.pauses().increment();
      main.pause(Calls.pauseOf(failure));
    }
  }

  private void renew(AccessSnapshot next) {
    ClientSSLOptions ssl = next.ssl();
    if (ssl != null) {
      LOG.info("Certificates changed: new connections use the new ones");
      links.renew(ssl);
    }
  }

  private Future<Void> closeNow() {
    if (closed) {
      return Future.succeededFuture();
    }
    closed = true;
    main.abandon(KubeClient::failClosed);
    lease.abandon(KubeClient::failClosed);
    streams.close();
    return links.close();
  }
}
