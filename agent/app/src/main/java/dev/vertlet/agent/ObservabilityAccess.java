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

/** Access to metrics and page. Has no client of the API server at first. */
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
    // an agent that adopts all its nodes knows no node name yet
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

  /** Fails if the token file cannot be used. */
  Future<?> start(EventLoops loops) {
    TokenFileVerticle read = file;
    return read == null ? Future.succeededFuture() : loops.add(loops.main(), () -> read);
  }

  ReadPolicy door() {
    return door;
  }

  /** Sets the access control, on the main loop; before that only the token file counts. */
  void ask(AccessControl control) {
    reviews.ask(control);
  }
}
