package dev.vertlet.remote;

import dev.vertlet.kube.Backoff;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
final class Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

  /** 0.1 s doubling to 10 s: a back end that restarts is found again within its own start time. */
  private static final Backoff RETRIES =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);

  private static final int GONE = 410;
  private static final int NOT_MODIFIED = 304;

  /** Receives what the back end says. */
  interface Listener {
    /** A list begins; returns a number for it. */
    long listing();

    /** All entries of a list. */
    void listed(long number, List<JsonObject> entries);

    /** A line of the event stream, except heartbeats. */
    void line(JsonObject line);

    /**
     * The back end has become reachable or unreachable.
     *
     * @param problem why it is unreachable; empty if it is reachable
     */
    void reachable(String problem);
  }

  private final Vertx vertx;
  private final Clock clock;
  private final RandomGenerator random;
  private final BackendClient client;
  private final RemoteMeters meters;
  private final RemoteSettings settings;
  private final String path;
  private final Listener listener;
  private final Promise<Void> synced = Promise.promise();
  private final Promise<Void> tried = Promise.promise();

  /** Milliseconds; read by scraping threads. */
  private volatile long heardAt;

  private final LongSupplier silence = this::silence;
  private String cursor = "";
  private String etag = "";
  private int failures;

  /** Lists since the stream last brought a line. */
  private int lists;

  private boolean polls;
  private boolean stopped;
  private @Nullable String problem;
  private long timer = -1;
  private BackendClient.@Nullable Opened open;

  private record Listed(String cursor, String etag, List<JsonObject> entries) {}

  /**
   * @param path of the list, and key of its entries in the answer
   */
  Subscription(
      Vertx vertx,
      Clock clock,
      RandomGenerator random,
      BackendClient client,
      RemoteMeters meters,
      String path,
      Listener listener) {
    this.vertx = vertx;
    this.clock = clock;
    this.random = random;
    this.client = client;
    this.meters = meters;
    this.settings = client.settings();
    this.path = path;
    this.listener = listener;
    this.heardAt = clock.millis();
  }

  /**
   * Begins.
   *
   * @return completes, never fails, when the first list has succeeded or failed
   */
  Future<Void> start() {
    meters.stream(silence);
    list();
    return tried.future();
  }

  private long silence() {
    return Math.max(0, clock.millis() - heardAt);
  }

  /** Why the back end is unreachable; empty if it is reachable. */
  String problem() {
    String known = problem;
    return known == null ? settings.display() + " has not answered yet" : known;
  }

  /**
   * Completes when a list has succeeded.
   *
   * @return fails when none has within the limit of a call
   */
  Future<Void> awaitSynced() {
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

  void stop() {
    stopped = true;
    meters.streamEnded(silence);
    vertx.cancelTimer(timer);
    close();
  }

  private void close() {
    BackendClient.Opened reading = open;
    open = null;
    if (reading != null) {
      reading.close().run();
    }
  }

  private void list() {
    long number = listener.listing();
    meters.listed();
    lists++;
    page("", new ArrayList<>(), null)
        .onSuccess(listed -> take(number, listed))
        .onFailure(this::failed);
  }

  /** Reads one page and those after it; the list is as old as its first page. */
  private Future<Listed> page(String next, List<JsonObject> entries, @Nullable Listed first) {
    Paths query = Paths.of("v1", path).query("limit", String.valueOf(settings.pageSize()));
    Call call =
        Call.get("list", (next.isEmpty() ? query : query.query("continue", next)).toString())
            .with("If-None-Match", next.isEmpty() ? etag : "");
    return client
        .answer(call)
        .compose(
            answer -> {
              if (answer.status() == NOT_MODIFIED && first == null && !etag.isEmpty()) {
                return Future.succeededFuture(new Listed(cursor, etag, List.of()));
              }
              if (!answer.ok()) {
                return Future.failedFuture(Failures.of(call, answer.status(), answer.body()));
              }
              JsonObject body = json(call.display(), answer.body());
              if (!(body.getValue(path) instanceof JsonArray array)) {
                throw Failures.invalid(call.display(), "/" + path + " must be an array");
              }
              String tag = answer.headers().get("ETag");
              Listed whole =
                  first == null
                      ? new Listed(body.getString("cursor", ""), tag == null ? "" : tag, entries)
                      : first;
              array.forEach(
                  entry -> {
                    if (entry instanceof JsonObject object) {
                      entries.add(object);
                    }
                  });
              String more = body.getString("continue", "");
              return more.isEmpty() ? Future.succeededFuture(whole) : page(more, entries, whole);
            });
  }

  /** Returns an object in a line of the stream. */
  static JsonObject object(JsonObject line, String key) {
    if (line.getValue(key) instanceof JsonObject object) {
      return object;
    }
    throw Failures.invalid("GET /v1/events", "/" + key + " must be an object");
  }

  private static JsonObject json(String where, Buffer body) {
    try {
      return new JsonObject(body);
    } catch (DecodeException | ClassCastException e) {
      throw Failures.invalid(where, "must be a JSON object");
    }
  }

  private void take(long number, Listed listed) {
    try {
      onListed(number, listed);
    } catch (RuntimeException e) {
      tried.tryComplete();
      listAgain("list: " + e.getMessage());
    }
  }

  private void onListed(long number, Listed listed) {
    if (stopped) {
      return;
    }
    boolean unchanged = polls && !etag.isEmpty() && listed.etag.equals(etag);
    cursor = listed.cursor;
    etag = polls ? listed.etag : "";
    if (!unchanged) {
      listener.listed(number, listed.entries);
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
    heardAt = clock.millis();
    failures = 0;
    if (problem == null || !problem.isEmpty()) {
      if (problem != null) {
        LOG.atInfo().addKeyValue("url", settings.display()).log("the back end answers again");
      }
      problem = "";
      listener.reachable("");
    }
  }

  private void follow() {
    Call call = Call.get("events", Paths.of("v1", "events").query("from", cursor).toString());
    client
        .open(call)
        .onSuccess(
            opened -> {
              if (stopped) {
                opened.close().run();
              } else {
                read(opened);
              }
            })
        .onFailure(
            failure -> {
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
            });
  }

  /** Lists at once, but with pauses for a back end that knows not even the cursor of a list. */
  private void expired() {
    if (lists == 0) {
      list();
    } else {
      later(RETRIES.delay(lists, random), this::list);
    }
  }

  private void read(BackendClient.Opened opened) {
    open = opened;
    HttpClientResponse response = opened.response();
    LineSplitter lines = new LineSplitter(settings.maxAnswerBytes(), this::line);
    response.handler(
        bytes -> {
          if (open == opened) {
            feed(lines, bytes);
          }
        });
    response.exceptionHandler(cause -> ended(opened, cause.getMessage()));
    response.endHandler(end -> ended(opened, ""));
    watch(opened);
    heardAt = clock.millis();
    response.resume();
  }

  private void feed(LineSplitter lines, Buffer bytes) {
    try {
      if (!lines.feed(bytes)) {
        listAgain("a line is longer than " + settings.maxAnswerBytes() + " bytes");
      }
    } catch (RuntimeException e) {
      listAgain(String.valueOf(e.getMessage()));
    }
  }

  /** The stream broke the contract: no cursor of it can be trusted. */
  private void listAgain(String why) {
    close();
    LOG.atWarn()
        .addKeyValue("url", settings.display())
        .addKeyValue("error", why)
        .log("the back end's events or list cannot be read; listing again");
    failures++;
    later(RETRIES.delay(failures, random), this::list);
  }

  private void line(Buffer bytes) {
    JsonObject line = json("GET /v1/events", bytes);
    if (!(line.getValue("type") instanceof String type)) {
      throw Failures.invalid("GET /v1/events", "/type must be a text");
    }
    heard();
    lists = 0;
    if (!type.equals("heartbeat")) {
      listener.line(line);
    }
    // after it was taken: a stream that breaks off meanwhile repeats the line, which is harmless
    cursor = line.getString("cursor", cursor);
  }

  private void ended(BackendClient.Opened opened, @Nullable String why) {
    if (open != opened || stopped) {
      return;
    }
    open = null;
    vertx.cancelTimer(timer);
    LOG.atDebug().addKeyValue("error", why).log("the event stream has ended; resuming it");
    failures++;
    later(RETRIES.delay(failures, random), this::follow);
  }

  /** Gives a silent stream up. */
  private void watch(BackendClient.Opened opened) {
    later(
        settings.heartbeat(),
        () -> {
          if (open != opened) {
            return;
          }
          if (clock.millis() - heardAt >= settings.silence().toMillis()) {
            close();
            failed(
                Failures.invalid(
                    "GET /v1/events", "silent for " + settings.silence().toSeconds() + " s"));
          } else {
            watch(opened);
          }
        });
  }

  private void failed(Throwable failure) {
    if (stopped) {
      return;
    }
    failures++;
    boolean silent = clock.millis() - heardAt >= settings.silence().toMillis();
    boolean never = !tried.future().isComplete();
    if (never || silent) {
      unreachable(String.valueOf(failure.getMessage()));
    }
    tried.tryComplete();
    boolean resume = synced.future().isComplete() && !polls;
    later(RETRIES.delay(failures, random), resume ? this::follow : this::list);
  }

  private void unreachable(String why) {
    boolean news = problem == null || problem.isEmpty();
    problem = why;
    if (news) {
      LOG.atWarn()
          .addKeyValue("url", settings.display())
          .addKeyValue("error", why)
          .log("the back end cannot be reached");
      listener.reachable(why);
    }
  }

  private void later(Duration delay, Runnable action) {
    vertx.cancelTimer(timer);
    if (!stopped) {
      timer = vertx.setTimer(Math.max(1, delay.toMillis()), id -> action.run());
    }
  }
}
