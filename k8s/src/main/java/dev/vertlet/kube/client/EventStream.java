package dev.vertlet.kube.client;

import dev.vertlet.kube.Failures;
import dev.vertlet.kube.FrameSplitter;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Verb;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * One open watch: splits its bytes into frames and decodes them. Confined to the client's context.
 * Calls the sink no more after {@link #close}, {@link Sink#ended} or {@link Sink#failed}.
 *
 * @param <T> the view
 */
public final class EventStream<T extends KubeObject> implements WatchCall.Receiver {
  private final KubePath path;
  private final ObjectDecoder<T> decoder;
  private final int maxEventBytes;
  private final KubeMetrics.OfReflector meters;
  private final Sink<T> sink;
  private @Nullable WatchCall call;
  private @Nullable FrameSplitter frames;
  private String contentType = "";
  private boolean open;
  private boolean over;

  /** Receives the events of the stream. */
  public interface Sink<T> {
    void opened();

    void event(WatchEvent<T> event);

    void ended();

    void failed(KubeException failure);
  }

  public EventStream(ListWatch<T> what, KubeMetrics.OfReflector meters, Sink<T> sink) {
    this.path = what.path();
    this.decoder = what.decoder();
    this.maxEventBytes = what.maxEventBytes();
    this.meters = meters;
    this.sink = sink;
  }

  public void open(KubeClient client, String query) {
    call = client.watch(path, query, decoder.acceptWatch(client.options().protobuf()), this);
  }

  /** Whether the server has accepted the watch. */
  public boolean isOpen() {
    return open;
  }

  public void close() {
    over = true;
    WatchCall current = call;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void opened(String type) {
    open = true;
    contentType = type;
    frames = FrameSplitter.of(type, maxEventBytes, this::frame);
    meters.watches.increment();
    sink.opened();
  }

  /** A bug in our own code ends the watch, too: an open watch without events would go unnoticed. */
  @Override
  public void received(Buffer bytes) {
    FrameSplitter splitter = frames;
    if (over || splitter == null) {
      return;
    }
    try {
      splitter.feed(bytes);
    } catch (RuntimeException e) {
      if (over) {
        throw e; // the sink knows the failure already
      }
      meters.decodeErrors.increment();
      close();
      sink.failed(Failures.decode(Verb.WATCH, path, e));
    }
  }

  @Override
  public void ended() {
    if (!over) {
      over = true;
      sink.ended();
    }
  }

  @Override
  public void failed(KubeException failure) {
    if (!over) {
      over = true;
      sink.failed(failure);
    }
  }

  private void frame(Buffer bytes) {
    if (!over) { // else the previous frame ended the watch
      meters.events.increment();
      sink.event(decoder.decodeEvent(contentType, bytes));
    }
  }
}
