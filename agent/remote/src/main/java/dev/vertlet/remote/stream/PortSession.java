package dev.vertlet.remote.stream;

import dev.vertlet.provider.stream.Connection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import java.nio.charset.StandardCharsets;

/** One forwarded connection: channel 0 has its bytes both ways, channel 1 a failure's text. */
final class PortSession implements Channels.Reader {
  private static final int DATA = 0;
  private static final int FAILURE = 1;
  private static final int LONGEST_FAILURE = 4096;

  private final Promise<Void> result = Promise.promise();
  private final Channels channels;
  private final Valve.Outlet out;
  private final Buffer failure = Buffer.buffer();
  private boolean ended;

  PortSession(Context context, WebSocket socket, Connection connection) {
    out = new Valve(context, socket).outlet(connection.outgoing());
    channels = new Channels(socket, this, this::ended);
    connection
        .gone()
        .onComplete(
            left ->
                context.runOnContext(
                    v -> {
                      channels.close();
                      result.tryComplete();
                    }));
    socket.resume();
    channels.feed(DATA, connection.incoming());
  }

  Future<Void> result() {
    return result.future();
  }

  @Override
  public void data(int channel, Buffer bytes) {
    if (channel == DATA && !ended) {
      out.write(bytes);
    } else if (channel == FAILURE && failure.length() + bytes.length() <= LONGEST_FAILURE) {
      failure.appendBuffer(bytes);
    }
  }

  @Override
  public void closed(int channel) {
    if (channel == DATA && !ended) {
      ended = true;
      out.end();
    }
  }

  private void ended(String why) {
    closed(DATA);
    if (failure.length() > 0) {
      result.tryFail(failure.toString(StandardCharsets.UTF_8));
    } else if (why.isEmpty()) {
      out.written().onSuccess(result::tryComplete).onFailure(result::tryFail);
    } else {
      result.tryFail(why);
    }
  }
}
