package dev.vertlet.remote.client;

import dev.vertlet.kube.Backoff;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the back end: lists once, then reads the event stream, resumes it where it broke off, and
 * lists again when that is impossible. Polls the list of a back end without a stream. Confined to
 * one context.
 */
public final class Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

  /** 0.1 s doubling to 10 s: a back end that restarts is found again within its own start time. */
  private static final Backoff RETRIES =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);

  private static final int GONE = 410;

  /** Receives what the back end says. */
  public interface Listener {
    /** A list begins; returns a number for it. */
    long listing();

    /** All entries of a list, each with a UID. */
    void listed(long number, List<JsonObject> entries);

    /**
     * A line of the event stream, except heartbeats.
     *
     * @throws RuntimeException for a line that makes no sense: all is listed again
     */
    void line(String type, JsonObject line);

    /**
     * The back end has become reachable or unreachable.
     *
     * @param problem why it is unreachable; empty if it is reachable
     */
    void reachable(String problem);
  }

  private final Vertx vertx;
  private final RandomGenerator random;
  private final BackendClient client;
  private final RemoteMeters meters;
  private final RemoteSettings settings;
  private final String path;
  private final Listener listener;
  private final Reachability reachability;
  private final LongSupplier silence;
  private final Promise<Void> synced = Promise.promise();
  private final Promise<Void> tried = Promise.promise();
  private String cursor = "";
  private String etag = "";
  private int failures;

  /** Lists since the stream last brought a line. */
  private int lists;

  private boolean polls;
  private boolean stopped;
  private long timer = -1;
  private @Nullable EventStream open;

  /**
   * @param path of the list, and key of its entries in the answer
   */
  public Subscription(
      Vertx vertx,
      Clock clock,
      RandomGenerator random,
      BackendClient client,
      RemoteMeters meters,
      String path,
      Listener listener) {
    this.vertx = vertx;
    this.random = random;
    this.client = client;
    this.meters = meters;
    this.settings = client.settings();
    this.path = path;
    this.listener = listener;
    this.reachability = new Reachability(clock, settings, listener::reachable);
    this.silence = reachability::silenceMillis;
  }

  /**
   * Begins.
   *
   * @return completes, never fails, when the first list has succeeded or failed
   */
  public Future<Void> start() {
    meters.stream(silence);
    list();
    return tried.future();
  }

  /** Why the back end is unreachable; empty if it is reachable. */
  public String problem() {
    return reachability.problem();
  }

  /**
   * Completes when a list has succeeded.
   *
   * @return fails when none has within the limit of a call
   */
  public Future<Void> awaitSynced() {
    return synced
        .future()
        .timeout(settings.callTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof TimeoutException
                        ? new ProviderException(Kind.TEMPORARY, "BackendUnreachable", problem())
                        : failure));
  }

  public void stop() {
    stopped = true;
    meters.streamEnded(silence);
    vertx.cancelTimer(timer);
    close();
  }

  private void close() {
    EventStream reading = open;
    open = null;
    if (reading != null) {
      reading.close();
    }
  }

  private void list() {
    long number = listener.listing();
    meters.listed();
    lists++;
    PagedList.read(client, path, etag)
        .onSuccess(listed -> take(number, listed))
        .onFailure(this::failed);
  }

  private void take(long number, Optional<PagedList.Listed> listed) {
    try {
      onListed(number, listed);
    } catch (RuntimeException e) {
      tried.tryComplete();
      listAgain("list: " + e.getMessage());
    }
  }

  private void onListed(long number, Optional<PagedList.Listed> changed) {
    if (stopped) {
      return;
    }
    if (changed.isPresent()) {
      PagedList.Listed listed = changed.get();
      cursor = listed.cursor();
      etag = polls ? listed.etag() : "";
      listener.listed(number, listed.entries());
    }
    heard();
    synced.tryComplete();
    tried.tryComplete();
    if (polls) {
      later(settings.pollInterval(), this::list);
    } else {
      follow();
    }
  }

  private void heard() {
    failures = 0;
    reachability.heard();
  }

  private void follow() {
    EventStream.open(client, cursor, new Lines()).onSuccess(this::read).onFailure(this::unread);
  }

  private void read(EventStream stream) {
    if (stopped) {
      stream.close();
      return;
    }
    open = stream;
    watch(stream);
    reachability.connected();
    stream.read();
  }

  private void unread(Throwable failure) {
    if (BackendException.status(failure) == GONE) {
      expired();
    } else if (Failures.noRoute(failure)) {
      LOG.atInfo()
          .addKeyValue("url", settings.display())
          .addKeyValue("interval", settings.pollInterval())
          .log("the back end has no event stream and is polled");
      polls = true;
      later(settings.pollInterval(), this::list);
    } else {
      failed(failure);
    }
  }

  /** Lists at once, but with pauses for a back end that knows not even the cursor of a list. */
  private void expired() {
    if (lists == 0) {
      list();
    } else {
      later(RETRIES.delay(lists, random), this::list);
    }
  }

  /** The stream or a list broke the contract: no cursor of it can be trusted. */
  private void listAgain(String why) {
    close();
    LOG.atWarn()
        .addKeyValue("url", settings.display())
        .addKeyValue("error", why)
        .log("the back end's events or list cannot be read; listing again");
    failures++;
    later(RETRIES.delay(failures, random), this::list);
  }

  private final class Lines implements EventStream.Listener {
    @Override
    public void line(String type, JsonObject line) {
      String next = Fields.text(line, "cursor", cursor);
      heard();
      lists = 0;
      if (!type.equals("heartbeat")) {
        listener.line(type, line);
      }
      // after it was taken: a stream that breaks off meanwhile repeats the line, which is harmless
      cursor = next;
    }

    @Override
    public void broken(String why) {
      listAgain(why);
    }

    @Override
    public void ended(String why) {
      open = null;
      vertx.cancelTimer(timer);
      LOG.atDebug().addKeyValue("error", why).log("the event stream has ended; resuming it");
      failures++;
      later(RETRIES.delay(failures, random), Subscription.this::follow);
    }
  }

  /** Gives a silent stream up. */
  private void watch(EventStream stream) {
    later(
        settings.heartbeat(),
        () -> {
          if (open != stream) {
            return;
          }
          if (reachability.silent()) {
            close();
            failed(
                Failures.invalid(
                    EventStream.WHERE, "silent for " + settings.silence().toSeconds() + " s"));
          } else {
            watch(stream);
          }
        });
  }

  private void failed(Throwable failure) {
    if (stopped) {
      return;
    }
    failures++;
    boolean never = !tried.future().isComplete();
    if (never || reachability.silent()) {
      reachability.lost(String.valueOf(failure.getMessage()));
    }
    tried.tryComplete();
    boolean resume = synced.future().isComplete() && !polls;
    later(RETRIES.delay(failures, random), resume ? this::follow : this::list);
  }

  private void later(Duration delay, Runnable action) {
    vertx.cancelTimer(timer);
    if (!stopped) {
      timer = vertx.setTimer(Math.max(1, delay.toMillis()), id -> action.run());
    }
  }
}
