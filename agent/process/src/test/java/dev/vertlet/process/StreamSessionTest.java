package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.Message;
import dev.vertlet.process.shim.ShimClient;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions with a shim that the test plays. */
class StreamSessionTest {
  /** More than a client that does not read takes. */
  private static final int MUCH = 100_000;

  @TempDir private Path dir;

  private final Vertx vertx = Vertx.vertx();
  private final Promise<NetSocket> connected = Promise.promise();
  private final Promise<Void> left = Promise.promise();
  private final Client client = Client.listening();
  private Path control;

  @BeforeEach
  void listen() {
    control = dir.resolve("s");
    Waits.get(
        vertx
            .createNetServer()
            .connectHandler(
                socket -> {
                  socket.closeHandler(v -> left.complete());
                  socket.write(Message.of(Message.ACCEPTED).encode());
                  connected.complete(socket);
                })
            .listen(SocketAddress.domainSocketAddress(control.toString())));
    client.out().hold();
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private Future<KeyValues> run() {
    return new StreamSession(vertx, new ShimClient(vertx), client, false)
        .run(control, Message.of(Message.EXECUTE));
  }

  private NetSocket sendMuch() {
    NetSocket shim = Waits.get(connected.future());
    shim.write(new Message(Message.OUTPUT, Buffer.buffer(new byte[MUCH])).encode());
    Waits.eventually(() -> assertThat(client.out().count()).isEqualTo(MUCH));
    return shim;
  }

  /** Whether the session is over for the connection is seen by the shim: it reads on. */
  private void endAndLeave(NetSocket shim, Message last) {
    Waits.get(shim.write(last.encode()));
    ((DuplexChannel) ((NetSocketInternal) shim).channelHandlerContext().channel()).shutdownOutput();
    Waits.get(left.future());
  }

  @Test
  void aSlowClientGetsTheEndOfAShimThatHasLeft() {
    Future<KeyValues> end = run();

    endAndLeave(sendMuch(), new Message(Message.END, Buffer.buffer("code=7\n")));
    client.out().release();

    assertThat(Waits.get(end).number("code")).isEqualTo(7);
  }

  @Test
  void aClientThatLeavesWithoutReadingEndsItsSession() {
    Future<KeyValues> end = run();
    sendMuch();

    client.leave();

    assertThat(Waits.get(end.otherwise(KeyValues.parse("code=-1")))).isNotNull();
    Waits.get(left.future());
  }
}
