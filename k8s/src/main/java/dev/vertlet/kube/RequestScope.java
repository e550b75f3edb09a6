package dev.vertlet.kube;

import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Requests that are only wanted together, for example those that one term of a node's Lease allows.
 * Closing it gives them up at once: what waits in a lane never leaves it, what is in flight is
 * reset, and each of their Futures fails with {@link KubeException.Kind#CANCELLED}.
 *
 * <p>Both methods may be called from any context; requests sent before {@link #close} and requests
 * sent after it on the same context are told apart reliably. Not promised: that a request which was
 * in flight had no effect.
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

  /** As {@link KubeClient#send}, within this scope, and when its sender's limit lets it go. */
  public Future<KubeResponse> send(KubeRequest request) {
    return client.send(request, this, sender);
  }

  /** Whether its sender has a limit: what is sent may wait, and takes no place of others. */
  public boolean limited() {
    return client.limited(sender);
  }

  public void close() {
    client.close(this);
  }

  /** False when it is too late. */
  boolean enter(Exchange exchange) {
    return !closed && open.add(exchange);
  }

  void leave(Exchange exchange) {
    open.remove(exchange);
  }

  /** Nothing enters any more; what is still inside. */
  List<Exchange> end() {
    closed = true;
    return List.copyOf(open);
  }
}
