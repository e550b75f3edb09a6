package dev.vertlet.kube;

import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Requests that are valid only together, for example those that one term of a node's Lease permits.
 * Closing a scope gives its requests up: a waiting request never leaves its lane, a request in
 * flight is reset, and their Futures fail with {@link KubeException.Kind#CANCELLED}.
 *
 * <p>Both methods may be called from any context; requests sent before {@link #close} and requests
 * sent after it on the same context are reliably distinguished. Not promised: that a request in
 * flight had no effect.
 */
public final class RequestScope {
  private final KubeClient client;
  private final String sender;

  // owned by the client's context
  private final Set<Exchange> open = new HashSet<>();
  private boolean closed;

  RequestScope(KubeClient client, String sender) {
    this.client = client;
    this.sender = sender;
  }

  /**
   * Sends a request as {@link KubeClient#send} does, within this scope, and delayed by the limit of
   * its sender.
   */
  public Future<KubeResponse> send(KubeRequest request) {
    return client.send(request, this, sender);
  }

  /** Whether the sender has a limit: its requests may wait, and take no slots from others. */
  public boolean limited() {
    return client.limited(sender);
  }

  public void close() {
    client.close(this);
  }

  /** Returns false if the scope is closed. */
  boolean enter(Exchange exchange) {
    return !closed && open.add(exchange);
  }

  void leave(Exchange exchange) {
    open.remove(exchange);
  }

  /** Closes the scope; returns its open requests. */
  List<Exchange> end() {
    closed = true;
    return List.copyOf(open);
  }
}
