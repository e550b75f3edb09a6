package dev.vertlet.remote.stream;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/** One exec or attach: copies between the client and the back end. Confined to one context. */
final class CommandSession implements Channels.Reader {
  /** A result is a Status of a few hundred bytes. */
  private static final int LONGEST_RESULT = 64 << 10;

  private final Promise<Integer> result = Promise.promise();
  private final Channels channels;
  private final Valve.@Nullable Outlet out;
  private final Valve.@Nullable Outlet err;
  private final Buffer status = Buffer.buffer();

  CommandSession(Context context, WebSocket socket, ContainerIo io) {
    Valve valve = new Valve(context, socket);
    out = outlet(valve, io.stdout());
    err = outlet(valve, io.stderr());
    channels = new Channels(socket, this, this::ended);
    io.gone()
        .onComplete(
            left ->
                context.runOnContext(
                    v -> {
                      channels.close();
                      result.tryFail("the client has left");
                    }));
    socket.resume();
    // before the input: a command may ask for its terminal's size at once
    io.onResize(size -> channels.send(Channels.RESIZE, json(size)));
    channels.feed(Channels.IN, io.stdin());
  }

  private static Buffer json(TerminalSize size) {
    return new JsonObject().put("Width", size.width()).put("Height", size.height()).toBuffer();
  }

  private static Valve.@Nullable Outlet outlet(Valve valve, @Nullable WriteStream<Buffer> sink) {
    return sink == null ? null : valve.outlet(sink);
  }

  /** Exit code, once all output was written. */
  Future<Integer> result() {
    return result.future();
  }

  @Override
  public void data(int channel, Buffer bytes) {
    Valve.Outlet to = channel == Channels.OUT ? out : channel == Channels.ERR ? err : null;
    if (to != null) {
      to.write(bytes);
    } else if (channel == Channels.ERROR && status.length() + bytes.length() <= LONGEST_RESULT) {
      status.appendBuffer(bytes);
    }
  }

  @Override
  public void closed(int channel) {
    // the end of an output has no meaning of its own: the result follows
  }

  private void ended(String why) {
    if (result.future().isComplete()) {
      return;
    }
    Future.join(written(out), written(err))
        .onSuccess(written -> end(why))
        .onFailure(failure -> result.tryFail(failure));
  }

  private static Future<Void> written(Valve.@Nullable Outlet outlet) {
    return outlet == null ? Future.succeededFuture() : outlet.written();
  }

  private void end(String why) {
    if (status.length() == 0) {
      result.tryFail(
          "the back end ended the session without a result" + (why.isEmpty() ? "" : ": " + why));
      return;
    }
    try {
      JsonObject said = new JsonObject(status);
      Integer code =
          "Success".equals(said.getString("status")) ? Integer.valueOf(0) : exitCode(said);
      if (code == null) {
        result.tryFail(said.getString("message", "the back end could not run the command"));
      } else {
        result.tryComplete(code);
      }
    } catch (DecodeException | ClassCastException | NumberFormatException e) {
      result.tryFail("the back end's result of the session is no Status");
    }
  }

  /** Exit code in a Status; null when it has none. */
  private static @Nullable Integer exitCode(JsonObject said) {
    JsonObject details = said.getJsonObject("details", new JsonObject());
    JsonArray causes = details.getJsonArray("causes", new JsonArray());
    for (int i = 0; i < causes.size(); i++) {
      JsonObject cause = causes.getJsonObject(i);
      if ("ExitCode".equals(cause.getString("reason"))) {
        return Integer.valueOf(cause.getString("message", ""));
      }
    }
    return null;
  }
}
