package dev.vertlet.cri.stream;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Switches a connection from HTTP/1.1 to another protocol. The server sends nothing in the new
 * protocol before it hears from the client.
 */
final class Upgrade {
  /** Most bytes of an answer. */
  private static final int LONGEST = 64 * 1024;

  /** How long the server may take to answer. */
  private static final long PATIENCE_MILLIS = 30_000;

  private static final String END = "\r\n\r\n";
  private static final String SWITCHING = "HTTP/1.1 101 ";

  private final NetSocket socket;
  private final Vertx vertx;
  private final Buffer answer = Buffer.buffer();
  private final Promise<NetSocket> done = Promise.promise();

  Upgrade(Vertx vertx, NetSocket socket) {
    this.vertx = vertx;
    this.socket = socket;
  }

  /**
   * Sends a request.
   *
   * @return the connection, paused, once the server has switched; fails with the server's answer
   */
  Future<NetSocket> send(String head) {
    long timer =
        vertx.setTimer(
            PATIENCE_MILLIS, late -> fail("no answer within " + PATIENCE_MILLIS + " ms"));
    socket.handler(this::read);
    socket.exceptionHandler(failure -> fail(String.valueOf(failure.getMessage())));
    socket.endHandler(closed -> fail(text().isEmpty() ? "the connection was closed" : text()));
    socket.write(head).onFailure(failure -> fail(String.valueOf(failure.getMessage())));
    return done.future().onComplete(ended -> vertx.cancelTimer(timer));
  }

  private String text() {
    return answer.toString(StandardCharsets.ISO_8859_1).strip();
  }

  private void read(Buffer data) {
    answer.appendBuffer(data);
    String said = answer.toString(StandardCharsets.ISO_8859_1);
    int end = said.indexOf(END);
    if (said.startsWith(SWITCHING) && end >= 0) {
      if (said.length() > end + END.length()) {
        fail("data came before the first stream");
        return;
      }
      socket.pause();
      done.tryComplete(socket);
    } else if (answer.length() > LONGEST || end >= 0 && !said.startsWith(SWITCHING)) {
      fail(said.lines().findFirst().orElse("") + " " + said.substring(Math.max(0, end)).strip());
    }
  }

  private void fail(String why) {
    if (done.tryFail(new IOException(why))) {
      socket.close();
    }
  }
}
