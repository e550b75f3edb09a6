package dev.vertlet.tck;

import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Client of an exec, attach, log or port-forward session. Thread-safe. */
public final class Client implements ContainerIo, Connection {
  private final Source in = new Source();
  private final Sink out = new Sink();
  private final Sink err = new Sink();
  private final boolean sends;
  private final boolean terminal;
  private final Promise<Void> gone = Promise.promise();
  private final List<Handler<TerminalSize>> resized = new ArrayList<>();
  private @Nullable TerminalSize size;

  private Client(boolean sends, boolean terminal) {
    this.sends = sends;
    this.terminal = terminal;
  }

  /** Returns a client that only receives. */
  public static Client listening() {
    return new Client(false, false);
  }

  /** Returns a client that also sends. */
  public static Client sending() {
    return new Client(true, false);
  }

  /** Returns a client that sends from a terminal. */
  public static Client atTerminal() {
    return new Client(true, true);
  }

  public Source in() {
    return in;
  }

  public Sink out() {
    return out;
  }

  public Sink err() {
    return err;
  }

  /** Breaks the connection. */
  public void leave() {
    out.breakOff();
    err.breakOff();
    gone.tryComplete();
  }

  /** Changes the size of the terminal. */
  public void resize(int width, int height) {
    List<Handler<TerminalSize>> told;
    TerminalSize now = new TerminalSize(width, height);
    synchronized (resized) {
      size = now;
      told = List.copyOf(resized);
    }
    told.forEach(handler -> handler.handle(now));
  }

  @Override
  public @Nullable ReadStream<Buffer> stdin() {
    return sends ? in : null;
  }

  @Override
  public WriteStream<Buffer> stdout() {
    return out;
  }

  @Override
  public @Nullable WriteStream<Buffer> stderr() {
    return terminal ? null : err;
  }

  @Override
  public void onResize(Handler<TerminalSize> handler) {
    TerminalSize now;
    synchronized (resized) {
      resized.add(handler);
      now = size;
    }
    if (now != null) {
      handler.handle(now);
    }
  }

  @Override
  public ReadStream<Buffer> incoming() {
    return in;
  }

  @Override
  public WriteStream<Buffer> outgoing() {
    return out;
  }

  @Override
  public Future<Void> gone() {
    return gone.future();
  }
}
