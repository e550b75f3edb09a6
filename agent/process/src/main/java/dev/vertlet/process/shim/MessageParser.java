package dev.vertlet.process.shim;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;

/** Cuts what a control socket delivers into messages. Used by the socket's context. */
final class MessageParser implements Handler<Buffer> {
  private final Handler<Message> next;
  private Buffer rest = Buffer.buffer();

  MessageParser(Handler<Message> next) {
    this.next = next;
  }

  @Override
  public void handle(Buffer data) {
    Buffer all = rest.length() == 0 ? data : rest.appendBuffer(data);
    int at = 0;
    while (all.length() - at >= Message.HEADER) {
      int length = all.getInt(at + 1);
      int end = at + Message.HEADER + length;
      if (end > all.length()) {
        break;
      }
      next.handle(new Message((char) all.getByte(at), all.slice(at + Message.HEADER, end)));
      at = end;
    }
    rest = at == all.length() ? Buffer.buffer() : all.getBuffer(at, all.length());
  }
}
