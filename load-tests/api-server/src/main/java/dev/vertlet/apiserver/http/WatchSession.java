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
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running watch: filters events, applies scripted event faults, writes lines. */
final class WatchSession {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);

  /**
   * A client this many events behind is cut off, as the real watch cache does with slow readers.
   * What a watch begins with does not count: it waits in the store until the client has room.
   */
  private static final int MOST_PENDING = 10_000;

  private final Exchange exchange;
  private final ListQuery query;
  private final Representation representation;
  private final boolean bookmarks;
  private final Faults faults;
  private final Runnable onEnd;
  private final EventStream stream;
  private final ArrayDeque<Buffer> pending = new ArrayDeque<>();

  /** What is left of the initial state or history, one step a line; it goes before the pending. */
  private Iterator<Runnable> backlog = Collections.emptyIterator();

  private boolean inBacklog;
  private boolean ended;

  /**
   * @param stream where the events go
   * @param bookmarks whether the client asked for bookmarks
   * @param onEnd called once when the watch is over, whoever ended it
   */
  WatchSession(
      Exchange exchange,
      ListQuery query,
      Representation representation,
      EventStream stream,
      boolean bookmarks,
      Faults faults,
      Runnable onEnd) {
    this.exchange = exchange;
    this.query = query;
    this.representation = representation;
    this.bookmarks = bookmarks;
    this.faults = faults;
    this.onEnd = onEnd;
    this.stream = stream;
  }

  void open() {
    stream.open(this::flush, this::finish);
  }

  /** Begins with what is there at a revision, and marks its end. */
  void beginWithState(List<StoredObject> objects, long revision) {
    begin(
        Stream.concat(
            objects.stream().filter(query::matches).map(object -> () -> added(object)),
            Stream.of(() -> initialEventsEnd(revision))));
  }

  /** Begins with events of the past. */
  void beginWithHistory(List<StoreEvent> events) {
    begin(events.stream().map(event -> () -> changed(event)));
  }

  private void begin(Stream<Runnable> steps) {
    backlog = steps.iterator();
    flush();
  }

  private void added(StoredObject object) {
    send(object, "ADDED", () -> representation.event("ADDED", object));
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
      stream
          .write(line.slice(0, line.length() / 2))
          .onComplete(written -> stream.closeConnection());
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
    dropBacklog();
    write(representation.error(failure.toStatus()));
    end();
  }

  private void initialEventsEnd(long revision) {
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
    } else if (inBacklog || (isCaughtUp() && !stream.isFull())) {
      writeNow(line);
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

  private void writeNow(Buffer line) {
    stream.write(line).onFailure(gone -> finish());
  }

  private boolean isCaughtUp() {
    return pending.isEmpty() && !backlog.hasNext();
  }

  /** Writes what waits, as long as the client takes it. */
  private void flush() {
    while (!ended && !isCaughtUp() && !stream.isFull()) {
      if (backlog.hasNext()) {
        inBacklog = true;
        backlog.next().run();
        inBacklog = false;
      } else {
        writeNow(pending.remove());
      }
    }
  }

  /** Without all of the backlog, what came after it would leave a gap. */
  private void dropBacklog() {
    if (backlog.hasNext()) {
      backlog = Collections.emptyIterator();
      pending.clear();
    }
  }

  /** Ends the stream in good order, as a timeout does. */
  void end() {
    if (!ended) {
      dropBacklog();
      pending.forEach(
          line -> stream.write(line).onFailure(gone -> LOG.debug("the watcher left", gone)));
      finish();
      stream.end().onFailure(gone -> LOG.debug("the watcher left", gone));
    }
  }

  /** Breaks the stream: a reset over HTTP/2, a closed connection over HTTP/1.1. */
  void cut() {
    if (!ended) {
      finish();
      stream.cut();
    }
  }

  private void finish() {
    if (!ended) {
      ended = true;
      backlog = Collections.emptyIterator();
      pending.clear();
      onEnd.run();
    }
  }
}
