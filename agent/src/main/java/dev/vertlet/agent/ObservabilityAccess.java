package dev.vertlet.agent;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.TokenFileVerticle;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.server.ReadPolicy;
import dev.vertlet.server.ReaderAccess;
import dev.vertlet.server.TokenReadPolicy;
import io.vertx.core.Future;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Those who may read metrics and page. There is no client of the API server at first. */
final class ObservabilityAccess {
  private final TokenReadPolicy reviews;
  private final @Nullable TokenFileVerticle file;
  private final ReadPolicy door;

  private ObservabilityAccess(
      TokenReadPolicy reviews, @Nullable TokenFileVerticle file, ReadPolicy door) {
    this.reviews = reviews;
    this.file = file;
    this.door = door;
  }

  static ObservabilityAccess of(VertletConfig config) {
    ServerConfig server = config.server();
    // an agent that adopts all its nodes knows the name of none
    String node =
        config.nodes().isEmpty() ? config.agent().identity() : config.nodes().get(0).spec().name();
    TokenReadPolicy reviews = new TokenReadPolicy(node);
    TokenFileVerticle file =
        server.open() || server.tokenFile().isEmpty()
            ? null
            : new TokenFileVerticle("server.tokenFile", Path.of(server.tokenFile()));
    return new ObservabilityAccess(
        reviews, file, server.open() ? ReadPolicy.OPEN : new ReaderAccess(file, reviews));
  }

  /** Fails where the file of a token cannot be used. */
  Future<?> start(EventLoops loops) {
    TokenFileVerticle read = file;
    return read == null ? Future.succeededFuture() : loops.add(loops.main(), () -> read);
  }

  ReadPolicy door() {
    return door;
  }

  /** Whom to ask from now on, on the main loop; before that no token is known but the file's. */
  void ask(AccessControl control) {
    reviews.ask(control);
  }
}
