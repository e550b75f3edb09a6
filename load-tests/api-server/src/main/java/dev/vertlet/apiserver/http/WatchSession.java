package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.fault.Action;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.registry.ListQuery;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running watch: filters events, applies scripted event faults, writes lines. */
final class WatchSession {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);

  /**
   * A client this many events behind is cut off, as the real watch cache does with slow readers.
   */
  private static final int MOST_PENDING = 10_000;

  private final Exchange exchange;
  private final ListQuery query;
  private final Representation representation;
  private final boolean bookmarks;
  private final Faults faults;
  private final Runnable onEnd;
  private final HttpServerResponse response;
  private final ArrayDeque<Buffer> pending = new ArrayDeque<>();
  private boolean ended;

  /**
   * @param bookmarks whether the client asked for bookmarks
   * @param onEnd called once when the watch is over, whoever ended it
   */
  WatchSession(
      Exchange exchange,
      ListQuery query,
      Representation representation,
      boolean bookmarks,
      Faults faults,
      Runnable onEnd) {
    this.exchange = exchange;
    this.query = query;
    this.representation = representation;
    this.bookmarks = bookmarks;
    this.faults = faults;
    this.onEnd = onEnd;
    this.response = exchange.response();
  }

  void open() {
    response
        .setStatusCode(200)
        .setChunked(true)
        .putHeader("content-type", representation.encoding().streamType())
        .putHeader("cache-control", "no-cache, private");
    response.exceptionHandler(reset -> finish());
    response.closeHandler(closed -> finish());
    response.drainHandler(drained -> flush());
    response.writeHead().onFailure(gone -> finish());
  }

  /** An event for an object that is simply there: part of the initial state. */
  void added(StoredObject object) {
    if (query.matches(object)) {
      send(object, "ADDED", () -> representation.event("ADDED", object));
    }
  }

  private Resource resource() {
    return query.resource();
  }

  /**
   * A change in the store; leaving the selection looks like a deletion, entering it like a
   * creation.
   */
  void changed(StoreEvent event) {
    boolean was = event.before().map(query::matches).orElse(false);
    boolean is = event.after().map(query::matches).orElse(false);
    if (is) {
      deliver(event, was ? "MODIFIED" : "ADDED", event.after().orElseThrow());
    } else if (was) {
      deliver(event, "DELETED", event.gone());
    }
  }

  private void deliver(StoreEvent event, String type, StoredObject object) {
    String shared = representation.shareName();
    Supplier<Buffer> line = () -> representation.event(type, object);
    send(
        object,
        type,
        shared.isEmpty()
            ? line
            : () -> event.line(type + shared + resource().type().apiVersion(), line));
  }

  private void send(StoredObject object, String type, Supplier<Buffer> line) {
    if (ended) {
      return;
    }
    Optional<Action.OnEvent> fault = faults.strikeEvent(exchange.request());
    if (fault.isEmpty()) {
      write(line.get());
    } else {
      misbehave(fault.get(), object, type, line.get());
    }
  }

  private void misbehave(Action.OnEvent action, StoredObject object, String type, Buffer line) {
    if (action instanceof Action.CutMidEvent) {
      response
          .write(line.slice(0, line.length() / 2))
          .onComplete(written -> exchange.closeConnection());
      finish();
    } else if (action instanceof Action.Malformed) {
      write(representation.malformed(type));
    } else if (action instanceof Action.Oversized oversized) {
      ObjectNode padded = object.copy();
      Json.child(Json.child(padded, "metadata"), "annotations")
          .put("padding", "x".repeat(oversized.bytes()));
      write(representation.event(type, ObjectStore.unsaved(padded)));
    } else if (action instanceof Action.ErrorEvent error) {
      error(error.failure());
    } // what remains is Swallow and Silence: nothing is sent
  }

  /** Ends the stream with an ERROR event. */
  void error(ApiException failure) {
    write(representation.error(failure.toStatus()));
    end();
  }

  /** Marks the end of the initial state. */
  void initialEventsEnd(long revision) {
    if (bookmarks) {
      write(representation.bookmark(revision, true));
    }
  }

  /** Tells how far the stream has come. */
  void bookmark(long revision) {
    if (bookmarks && !ended && !faults.silences(exchange.request())) {
      write(representation.bookmark(revision, false));
    }
  }

  private void write(Buffer line) {
    if (ended) {
      return;
    } else if (pending.isEmpty() && !response.writeQueueFull()) {
      response.write(line).onFailure(gone -> finish());
      return;
    }
    pending.add(line);
    if (pending.size() > MOST_PENDING) {
      LOG.atWarn()
          .addKeyValue("resource", resource().type().plural())
          .log("a watch does not read its events, it is cut off");
      cut();
    }
  }

  private void flush() {
    while (!ended && !pending.isEmpty() && !response.writeQueueFull()) {
      response.write(pending.remove()).onFailure(gone -> finish());
    }
  }

  /** Ends the stream in good order, as a timeout does. */
  void end() {
    if (!ended) {
      pending.forEach(
          line -> response.write(line).onFailure(gone -> LOG.debug("the watcher left", gone)));
      finish();
      response.end().onFailure(gone -> LOG.debug("the watcher left", gone));
    }
  }

  /** Breaks the stream: a reset over HTTP/2, a closed connection over HTTP/1.1. */
  void cut() {
    if (!ended) {
      finish();
      exchange.reset();
    }
  }

  private void finish() {
    if (!ended) {
      ended = true;
      pending.clear();
      onEnd.run();
    }
  }
}
