package dev.vertlet.cri.wire;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC server on a Unix domain socket whose calls a test scripts. A call that is not scripted is
 * Unimplemented, as on a runtime of an older version.
 */
public final class FakeGrpcServer implements AutoCloseable {
  private static final String PREFIX = "/runtime.v1.";

  private final Vertx vertx;
  private final Path socket;
  private final Map<String, Handler<Call>> script = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private HttpServer server;

  /**
   * A call that has arrived.
   *
   * @param silent whether the caller hears nothing of what is answered
   */
  public record Call(HttpServerRequest request, Buffer message, boolean silent) {
    /** Returns the call as one whose caller hears nothing of what is answered. */
    public Call silenced() {
      return new Call(request, message, true);
    }

    /** Decodes the request. */
    public <T> T as(Class<T> type) {
      return MessageSchema.decode(type, message);
    }

    /** Answers and ends the call. */
    public void answer(Record message) {
      if (!silent) {
        send(message);
        status("0", null);
      }
    }

    /** Sends a message and leaves the call open. */
    public void send(Record message) {
      raw(GrpcFrames.frame(MessageSchema.encode(message)));
    }

    /** Sends bytes and leaves the call open. */
    public void raw(Buffer bytes) {
      response().write(bytes);
    }

    private HttpServerResponse response() {
      HttpServerResponse response = request.response();
      if (!response.headWritten()) {
        response.putHeader("content-type", "application/grpc").setChunked(true);
      }
      return response;
    }

    /** Ends the call with a status in the trailers. */
    public void status(String code, @Nullable String text) {
      HttpServerResponse response = response();
      response.putTrailer("grpc-status", code);
      if (text != null) {
        response.putTrailer("grpc-message", text);
      }
      response.end();
    }

    /** Ends the call with a status in the headers, without a body. */
    public void refuse(GrpcStatus code, String text) {
      request
          .response()
          .putHeader("content-type", "application/grpc")
          .putHeader("grpc-status", Integer.toString(code.ordinal()))
          .putHeader("grpc-message", text)
          .end();
    }
  }

  /** Starts a server. */
  public FakeGrpcServer(Vertx vertx, Path socket) {
    this.vertx = vertx;
    this.socket = socket;
    this.server = open();
  }

  private HttpServer open() {
    return Waits.get(
        vertx
            .createHttpServer()
            .requestHandler(
                request ->
                    request
                        .body()
                        .onSuccess(
                            body -> {
                              String name =
                                  request.path().substring(request.path().lastIndexOf('/') + 1);
                              calls.add(name);
                              Call call =
                                  new Call(request, body.getBuffer(5, body.length()), false);
                              Handler<Call> handler = script.get(name);
                              if (handler == null || !request.path().startsWith(PREFIX)) {
                                call.refuse(
                                    GrpcStatus.UNIMPLEMENTED, "unknown method " + request.path());
                              } else {
                                handler.handle(call);
                              }
                            }))
            .listen(SocketAddress.domainSocketAddress(socket.toString())));
  }

  /** Scripts a method, for example {@code Version}. */
  public FakeGrpcServer on(String method, Handler<Call> handler) {
    script.put(method, handler);
    return this;
  }

  /** Names of the methods that were called, in order. */
  public List<String> calls() {
    return calls;
  }

  public Path socket() {
    return socket;
  }

  /** Closes the server with its connections. */
  public void stop() {
    Waits.get(server.close());
  }

  /** Opens the server again. */
  public void restart() {
    server = open();
  }

  @Override
  public void close() {
    stop();
  }
}
