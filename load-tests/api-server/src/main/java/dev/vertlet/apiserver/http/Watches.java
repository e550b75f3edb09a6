package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.registry.ListQuery;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.websocket.WebSocketUpgrade;
import dev.vertlet.apiserver.websocket.WebSockets;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Opens watches and keeps the running ones. */
public final class Watches {
  /**
   * The real server's {@code --min-request-timeout}, the shortest a watch lives unless it asks for
   * less.
   */
  private static final long DEFAULT_TIMEOUT_SECONDS = TimeUnit.MINUTES.toSeconds(30);

  private final Vertx vertx;
  private final ObjectStore store;
  private final Faults faults;
  private final Duration bookmarkInterval;
  private final Clock clock;
  private final WebSockets sockets;
  private final Set<WatchSession> sessions = new LinkedHashSet<>();
  private long bookmarkTimer = -1;

  /**
   * @param bookmarkInterval pause between bookmarks of every watch that wants them
   * @param clock the time that ages in tables count from
   * @param sockets for those who watch over a WebSocket
   */
  public Watches(
      Vertx vertx,
      ObjectStore store,
      Faults faults,
      Duration bookmarkInterval,
      Clock clock,
      WebSockets sockets) {
    this.sockets = sockets;
    this.vertx = vertx;
    this.store = store;
    this.faults = faults;
    this.bookmarkInterval = bookmarkInterval;
    this.clock = clock;
  }

  /** Starts the bookmark timer, on the server's event loop. */
  public void start() {
    bookmarkTimer =
        vertx.setTimer(
            bookmarkInterval.toMillis(),
            fired -> {
              bookmarkAll();
              start();
            });
  }

  /** Stops the timer and ends every watch. */
  public void stop() {
    vertx.cancelTimer(bookmarkTimer);
    List.copyOf(sessions).forEach(WatchSession::end);
  }

  /** How many watches run. */
  public int size() {
    return sessions.size();
  }

  /** Breaks every watch; returns how many. */
  public int cutAll() {
    List<WatchSession> cut = List.copyOf(sessions);
    cut.forEach(WatchSession::cut);
    return cut.size();
  }

  /** Sends a bookmark to every watch that wants them. */
  public void bookmarkAll() {
    List.copyOf(sessions).forEach(session -> session.bookmark(store.revision()));
  }

  void open(Exchange exchange, ListQuery query) {
    ApiRequest request = exchange.request();
    Optional<Boolean> initial = request.flag("sendInitialEvents");
    check(query, initial.isPresent());
    Representation representation =
        Representation.negotiate(request, query.resource(), Form.Shape.WATCH, clock);
    long from = query.revision();
    boolean sendsState = initial.orElse(from == 0);
    if (initial.orElse(false) && from > store.revision()) {
      throw ApiException.tooLargeResourceVersion(from, store.revision());
    }
    long timeout = timeout(request);
    if (WebSocketUpgrade.isAsked(exchange.http())) {
      sockets
          .accept(exchange.http())
          .onSuccess(
              socket ->
                  run(
                      new Running(
                          exchange,
                          query,
                          representation,
                          EventStream.ofWebSocket(socket),
                          timeout),
                      query,
                      from,
                      sendsState))
          .onFailure(refused -> exchange.failBecauseOf(refused));
      return;
    }
    EventStream answer = EventStream.ofAnswer(exchange, representation.encoding().streamType());
    run(new Running(exchange, query, representation, answer, timeout), query, from, sendsState);
  }

  private void run(Running running, ListQuery query, long from, boolean sendsState) {
    running.session.open();
    if (sendsState) {
      List<StoredObject> objects =
          List.copyOf(store.list(query.resource().storage(), query.namespace()));
      running.session.beginWithState(objects, store.revision());
    } else if (from > 0 && !running.replay(from)) {
      return;
    }
    running.follow(Math.max(from, 0));
  }

  private static void check(ListQuery query, boolean asksForState) {
    Causes causes = new Causes();
    String field = "resourceVersionMatch";
    if (asksForState && !query.match().equals("NotOlderThan")) {
      causes.forbidden(
          field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    } else if (!asksForState && !query.match().isEmpty()) {
      causes.forbidden(
          field,
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    causes.throwIfAny("meta.k8s.io", "ListOptions", "");
  }

  private static long timeout(ApiRequest request) {
    try {
      String text = request.parameter("timeoutSeconds");
      long seconds = text.isEmpty() ? 0 : Long.parseLong(text);
      return TimeUnit.SECONDS.toMillis(seconds > 0 ? seconds : DEFAULT_TIMEOUT_SECONDS);
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "timeoutSeconds must be a number, got \"%s\""
              .formatted(request.parameter("timeoutSeconds")));
    }
  }

  /** A session with its timer and its subscription. */
  private final class Running {
    private final WatchSession session;
    private final String type;
    private final long timer;
    private Consumer<StoreEvent> subscriber = event -> {};

    Running(
        Exchange exchange,
        ListQuery query,
        Representation representation,
        EventStream stream,
        long timeout) {
      ApiRequest request = exchange.request();
      boolean bookmarks = request.flag("allowWatchBookmarks").orElse(false);
      type = query.resource().storage();
      session =
          new WatchSession(exchange, query, representation, stream, bookmarks, faults, this::ended);
      timer =
          vertx.setTimer(
              timeout,
              fired -> {
                session.bookmark(store.revision());
                session.end();
              });
      sessions.add(session);
    }

    /**
     * Sends what happened since a revision; false when that is no longer known and the watch has
     * ended.
     */
    boolean replay(long from) {
      try {
        session.beginWithHistory(store.eventsAfter(type, from));
        return true;
      } catch (ApiException expired) {
        session.error(
            expired); // once a watch has passed its checks it fails by event, not by status
        return false;
      }
    }

    /** A watch from a future revision stays silent until the store has got there. */
    void follow(long from) {
      if (!sessions.contains(session)) {
        return; // a fault has ended it during the replay
      }
      subscriber =
          event -> {
            if (event.revision() > from) {
              session.changed(event);
            }
          };
      store.subscribe(type, subscriber);
    }

    private void ended() {
      vertx.cancelTimer(timer);
      store.unsubscribe(type, subscriber);
      sessions.remove(session);
    }
  }
}
