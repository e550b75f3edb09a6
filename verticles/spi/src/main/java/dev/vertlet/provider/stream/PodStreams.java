package dev.vertlet.provider.stream;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;

/**
 * Streams into pods: logs, commands, terminals, ports, checkpoints. Methods are called on the
 * shard's loop, like all methods of a provider; the streams belong to another loop, see {@link
 * ContainerIo}.
 *
 * <p>A method that is not offered fails as {@link ProviderException.Kind#UNSUPPORTED}, which
 * clients see as 501 unless the method says otherwise; NOT_FOUND is 404, INVALID 400, any other
 * failure 500, with the failure's message.
 */
public interface PodStreams {
  /** Offers nothing. */
  PodStreams NONE =
      new PodStreams() {
        @Override
        public Future<Void> check(StreamKind kind, ContainerTarget target) {
          return kind.unsupported();
        }
      };

  /** Purpose of an upgraded client connection. */
  enum StreamKind {
    EXEC("ExecUnsupported", "the provider runs no commands in containers"),
    ATTACH("AttachUnsupported", "the provider attaches to no containers"),
    PORT_FORWARD("PortForwardUnsupported", "the provider forwards no ports");

    private final String reason;
    private final String message;

    StreamKind(String reason, String message) {
      this.reason = reason;
      this.message = message;
    }

    private <T> Future<T> unsupported() {
      return ProviderException.unsupported(reason, message);
    }
  }

  /**
   * Checks whether a session could begin now. Called before the client's connection is upgraded: a
   * refusal is then an HTTP status instead of an error on a stream.
   *
   * @param target without a container for a port-forward
   * @return fails as the session itself would; the default accepts every session
   */
  default Future<Void> check(StreamKind kind, ContainerTarget target) {
    return Future.succeededFuture();
  }

  /**
   * Writes a log. Does not end {@code out}.
   *
   * @param gone completes when the client has disconnected: writing must stop
   * @return completes when everything was written: at the end of the log, or with {@link
   *     LogRequest#follow} when the container has ended. The client sees a failure before the first
   *     byte
   */
  default Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    return ProviderException.unsupported("LogsUnsupported", "the provider keeps no logs");
  }

  /**
   * Runs a command in a running container.
   *
   * @return exit code, 0 to 255, once the command has ended and all its output was written; fails
   *     when it could not be run
   */
  default Future<Integer> exec(ExecRequest request, ContainerIo io) {
    return StreamKind.EXEC.unsupported();
  }

  /**
   * Attaches to the streams of a running container's first process.
   *
   * @param tty whether the container's definition has a terminal, whatever the client has
   * @return completes once the process has ended, with any exit code: as on a kubelet, the client
   *     does not get the code. Fails when it could not attach
   */
  default Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    return StreamKind.ATTACH.unsupported();
  }

  /**
   * Connects a client to a port of a pod. Called once for each connection.
   *
   * @param port 1 to 65535
   * @return completes when the connection is closed on both sides; the client sees a failure's
   *     message
   */
  default Future<Void> portForward(PodRef pod, int port, Connection connection) {
    return StreamKind.PORT_FORWARD.unsupported();
  }

  /**
   * Saves the state of a running container in a file on the node; the container keeps running.
   *
   * @param limit maximum time, in whole seconds; zero for the back end's own limit
   * @param gone completes when the client has disconnected: the file is then not needed
   * @return path of the file on the node. If UNSUPPORTED, clients get 404, as from a kubelet
   *     without checkpoints
   */
  default Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
    return ProviderException.unsupported(
        "CheckpointUnsupported", "the provider makes no checkpoints");
  }
}
