package dev.vertlet.streaming;

import dev.vertlet.streaming.session.ChannelSession;
import dev.vertlet.streaming.session.InboundStream;
import dev.vertlet.streaming.session.OutboundStream;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Forwards ports over WebSocket channels: per port one data channel and one error channel, each of
 * which starts with the port number. Ends with the last connection. Confined to its loop.
 */
final class ChannelForwarding {
  private final ChannelSession session;
  private final Connector connector;
  private int open;

  ChannelForwarding(ChannelSession session, Connector connector) {
    this.session = session;
    this.connector = connector;
  }

  void start(List<Integer> ports) {
    open = ports.size();
    for (int i = 0; i < ports.size(); i++) {
      forward(2 * i, ports.get(i));
    }
  }

  private void forward(int channel, int port) {
    InboundStream in = session.inlet(channel);
    OutboundStream out = session.outlet(channel);
    OutboundStream error = session.outlet(channel + 1);
    Buffer number = Buffer.buffer(2).appendUnsignedShortLE(port);
    out.write(number);
    error.write(number);
    connector.connect(
        session,
        port,
        new Forwarded(in, out, session.over()),
        failure -> {
          in.discard();
          if (failure != null && session.isOpen()) {
            error.write(Buffer.buffer(failure));
          }
          if (--open == 0) {
            session.finish();
          }
        });
  }
}
