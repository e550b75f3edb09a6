package dev.vertlet.kube.client;

import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.RequestScope;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Open requests of one sender of a {@link KubeClient}. */
final class ClientScope implements RequestScope {
  private final KubeClient client;
  private final String sender;

  // owned by the client's context
  private final Set<Exchange> open = new HashSet<>();
  private boolean closed;

  ClientScope(KubeClient client, String sender) {
    this.client = client;
    this.sender = sender;
  }

  @Override
  public Future<KubeResponse> send(KubeRequest request) {
    return client.send(request, this, sender);
  }

  @Override
  public boolean limited() {
    return client.limited(sender);
  }

  @Override
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
