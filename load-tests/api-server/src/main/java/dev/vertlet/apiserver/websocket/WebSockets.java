package dev.vertlet.apiserver.websocket;

import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Accepts WebSockets and keeps those that are open. On the server's event loop. */
public final class WebSockets {
  private final Consumer<HttpConnection> onSwitch;
  private final Set<WebSocketStream> open = new LinkedHashSet<>();

  /**
   * @param onSwitch takes each connection that is one of HTTP no more
   */
  public WebSockets(Consumer<HttpConnection> onSwitch) {
    this.onSwitch = onSwitch;
  }

  /**
   * Accepts a request.
   *
   * @param request HTTP/1.1; its body has been read
   * @return fails with a {@link dev.vertlet.apiserver.api.ApiException} as long as the client can
   *     still be told
   */
  public Future<WebSocketStream> accept(HttpServerRequest request) {
    return WebSocketUpgrade.accept(request)
        .onSuccess(
            socket -> {
              onSwitch.accept(request.connection());
              open.add(socket);
              socket.closeHandler(closed -> open.remove(socket));
            });
  }

  /** How many are open. */
  public int size() {
    return open.size();
  }

  /** Breaks all of them. */
  public void close() {
    List.copyOf(open).forEach(WebSocketStream::cut);
  }
}
