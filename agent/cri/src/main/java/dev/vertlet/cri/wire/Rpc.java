package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.GrpcChannel.Subscription;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A method of a service.
 *
 * @param path {@code /package.Service/Method}
 * @param answer class of its answers
 */
record Rpc<Q extends Record, A extends Record>(String path, Class<A> answer) {
  private static final Logger LOG = LoggerFactory.getLogger(Rpc.class);

  Future<A> call(GrpcChannel channel, Q request, Duration deadline) {
    return channel.call(path, MessageSchema.encode(request), deadline).compose(this::read);
  }

  private Future<A> read(Buffer bytes) {
    try {
      return Future.succeededFuture(MessageSchema.decode(answer, bytes));
    } catch (ProtoException e) {
      return Future.failedFuture(
          new GrpcException(GrpcStatus.INTERNAL, String.valueOf(e.getMessage())));
    }
  }

  /** Subscribes; an answer that cannot be read is left out. */
  Subscription subscribe(GrpcChannel channel, Q request, Handler<A> answers) {
    return channel.subscribe(
        path,
        MessageSchema.encode(request),
        bytes ->
            read(bytes)
                .onSuccess(answers)
                .onFailure(
                    failure ->
                        LOG.atWarn()
                            .addKeyValue("method", path)
                            .addKeyValue("problem", failure.getMessage())
                            .log("an answer of the container runtime cannot be read")));
  }
}
