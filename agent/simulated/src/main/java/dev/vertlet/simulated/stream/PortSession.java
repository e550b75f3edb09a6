package dev.vertlet.simulated.stream;

import dev.vertlet.provider.stream.Connection;
import dev.vertlet.simulated.rule.ListeningPorts;
import dev.vertlet.simulated.shell.Input;
import dev.vertlet.simulated.shell.Output;
import dev.vertlet.simulated.shell.Serial;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;

/** One connection to a port of a simulated pod. */
public final class PortSession {
  private final Connection connection;
  private final Serial serial = new Serial();
  private final Input in;
  private final Output out;
  private final HttpResponder http;
  private final Promise<Void> done = Promise.promise();
  private ListeningPorts.Listener listener;
  private Buffer begin = Buffer.buffer();
  private boolean closing;

  /**
   * @param text body of HTTP responses
   */
  public PortSession(Connection connection, ListeningPorts.Listener listener, String text) {
    this.connection = connection;
    this.listener = listener;
    this.in = Input.of(connection.incoming(), serial);
    this.out = new Output(connection.outgoing(), false, serial);
    this.http = new HttpResponder(text);
  }

  /** Completes when the connection is closed. */
  public Future<Void> run() {
    serial.run(() -> in.read(this::take, this::close, out));
    connection.gone().onComplete(gone -> stop());
    return done.future();
  }

  /** Stops: the pod has ended or the client has gone. */
  public void stop() {
    serial.run(this::close);
  }

  private void take(Buffer buffer) {
    Buffer data = buffer;
    if (listener == ListeningPorts.Listener.AUTO) {
      begin.appendBuffer(buffer);
      Boolean speaks = HttpResponder.speaks(begin);
      if (speaks == null) {
        return;
      }
      listener = speaks ? ListeningPorts.Listener.HTTP : ListeningPorts.Listener.ECHO;
      data = begin;
      begin = Buffer.buffer();
    }
    out.write(listener == ListeningPorts.Listener.HTTP ? http.take(data) : data);
    if (http.closed()) {
      close();
    }
  }

  private void close() {
    if (closing) {
      return;
    }
    closing = true;
    in.stop();
    out.write(begin); // a client that started like HTTP and ended there
    out.flushed()
        .eventually(() -> connection.outgoing().end())
        .onComplete(ended -> done.tryComplete());
  }
}
