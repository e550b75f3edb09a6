package dev.vertlet.provider;

import dev.vertlet.model.PodRef;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;

/**
 * What people reach inside of pods: logs, commands, terminals, ports, checkpoints. Called on the
 * shard's loop, like everything of a provider; the streams belong to another one, see {@link
 * ContainerIo}.
 *
 * <p>Whatever a method does not offer fails as {@link ProviderException.Kind#UNSUPPORTED}, which
 * users see as 501 unless the method says otherwise; NOT_FOUND is 404, INVALID 400, all else 500,
 * with the failure's message.
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

  /** What a client's connection is taken over for. */
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
   * Whether such a session could begin now. Asked before the client's connection is taken over: a
   * refusal is an HTTP status then, and an error on a stream later.
   *
   * @param target without a container for a port-forward
   * @return fails as the session itself would; without an own answer everything is tried
   */
  default Future<Void> check(StreamKind kind, ContainerTarget target) {
    return Future.succeededFuture();
  }

  /**
   * Writes a log. Does not end {@code out}.
   *
   * @param gone completes when nobody reads any more: writing is to stop
   * @return completes when all was written: at once at the end of the log, or with {@link
   *     LogRequest#follow} when the container has ended. A failure before the first byte is shown
   *     to the user
   */
  default Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    return ProviderException.unsupported("LogsUnsupported", "the provider keeps no logs");
  }

  /**
   * Runs a command in a running container.
   *
   * @return the exit code, 0 to 255, once the command has ended and all its output was written;
   *     fails when it could not be run
   */
  default Future<Integer> exec(ExecRequest request, ContainerIo io) {
    return StreamKind.EXEC.unsupported();
  }

  /**
   * Joins the streams of a running container's first process.
   *
   * @param tty whether the container has a terminal by its definition, whatever the client has
   * @return completes once the process has ended, however it did: nobody is told its exit code, as
   *     on a kubelet. Fails when it could not be joined
   */
  default Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    return StreamKind.ATTACH.unsupported();
  }

  /**
   * Connects a client with a port of a pod. Called once for each connection.
   *
   * @param port 1 to 65535
   * @return completes when the connection is over on both sides; a failure's message is shown to
   *     the client
   */
  default Future<Void> portForward(PodRef pod, int port, Connection connection) {
    return StreamKind.PORT_FORWARD.unsupported();
  }

  /**
   * Keeps the state of a running container in a file of the node, and has the container run on.
   *
   * @param limit the most time it may take, in whole seconds; zero for the back end's own limit
   * @param gone completes when nobody waits for the file any more: it need not be made then
   * @return the file's path on the node. Users see 404 where this is UNSUPPORTED, as if a kubelet
   *     had no checkpoints
   */
  default Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
    return ProviderException.unsupported(
        "CheckpointUnsupported", "the provider makes no checkpoints");
  }
}
