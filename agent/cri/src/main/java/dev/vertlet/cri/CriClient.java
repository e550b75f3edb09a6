package dev.vertlet.cri;

import dev.vertlet.cri.wire.GrpcChannel;
import dev.vertlet.cri.wire.ImageService;
import dev.vertlet.cri.wire.RuntimeService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;

/**
 * Connections to a container runtime: one for calls that are answered soon, one for what takes
 * long, so that a pull never delays a call.
 *
 * @param runtime the runtime's own calls
 * @param images calls about images
 * @param streams connection of subscriptions
 * @param channels all connections
 */
public record CriClient(
    RuntimeService runtime, ImageService images, GrpcChannel streams, List<GrpcChannel> channels) {
  public CriClient {
    channels = List.copyOf(channels);
  }

  /** Creates a client; connections are opened by the first calls. */
  static CriClient of(Vertx vertx, CriOptions options) {
    GrpcChannel calls = new GrpcChannel(vertx, options.socket());
    GrpcChannel streams = new GrpcChannel(vertx, options.socket());
    RuntimeService runtime = new RuntimeService(calls, streams);
    Path other = options.imageSocket();
    if (other.equals(options.socket())) {
      return new CriClient(
          runtime, new ImageService(calls, streams), streams, List.of(calls, streams));
    }
    GrpcChannel imageCalls = new GrpcChannel(vertx, other);
    GrpcChannel pulls = new GrpcChannel(vertx, other);
    return new CriClient(
        runtime,
        new ImageService(imageCalls, pulls),
        streams,
        List.of(calls, streams, imageCalls, pulls));
  }

  Future<Void> close() {
    return Future.join(channels.stream().map(GrpcChannel::close).toList()).mapEmpty();
  }
}
