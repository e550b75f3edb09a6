package dev.vertlet.process;

import dev.vertlet.process.shim.Message;
import dev.vertlet.process.shim.ShimClient;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Ends what a test left running: containers outlive whatever started them. */
final class ContainersOfTests {
  private ContainersOfTests() {}

  /** Kills the containers whose sockets are in a directory; returns when they have ended. */
  static void endAll(Path sockets) throws IOException {
    if (!Files.exists(sockets)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> found = Files.list(sockets)) {
      all = found.toList();
    }
    for (Path socket : all) {
      end(socket);
    }
  }

  private static void end(Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap(Message.of(Message.WATCH).encode().getBytes()));
      channel.write(ByteBuffer.wrap(ShimClient.stop(0).encode().getBytes()));
      ByteBuffer answer = ByteBuffer.allocate(1024);
      while (channel.read(answer) >= 0) {
        answer.clear();
      }
    } catch (IOException e) {
      // it has ended already
    }
  }
}
