package dev.vertlet.apiserver.websocket;

import io.vertx.core.buffer.Buffer;

/**
 * Reads the frames of a client (RFC 6455, section 5). Control frames are handed on; messages are
 * skipped without being kept, whatever their length.
 */
final class ClientFrames {
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int MASK_BYTES = 4;

  /** Control frames have no more. */
  private static final int MOST_CONTROL = 125;

  /** Takes the opcode and the content of a control frame. */
  interface OnControl {
    void accept(int opcode, Buffer content);
  }

  private final OnControl onControl;
  private Buffer unread = Buffer.buffer();
  private long toSkip;

  ClientFrames(OnControl onControl) {
    this.onControl = onControl;
  }

  void take(Buffer bytes) {
    Buffer all = unread.appendBuffer(bytes);
    int at = 0;
    while (at < all.length()) {
      if (toSkip > 0) {
        int skipped = (int) Math.min(toSkip, all.length() - at);
        toSkip -= skipped;
        at += skipped;
        continue;
      }
      int next = frame(all, at);
      if (next == at) {
        break;
      }
      at = next;
    }
    unread = all.getBuffer(at, all.length());
  }

  /** Reads the frame at a position; returns where the next one begins, the same for too little. */
  private int frame(Buffer all, int at) {
    int left = all.length() - at;
    if (left < 2) {
      return at;
    }
    int opcode = all.getByte(at) & 0x0F;
    int size = all.getByte(at + 1) & 0x7F;
    int extended = size == 126 ? 2 : size == 127 ? 8 : 0;
    int head = 2 + extended + ((all.getByte(at + 1) & 0x80) != 0 ? MASK_BYTES : 0);
    if (left < head) {
      return at;
    }
    if (opcode < CLOSE || size > MOST_CONTROL) {
      toSkip =
          extended == 2
              ? all.getUnsignedShort(at + 2)
              : extended == 8 ? Math.max(0, all.getLong(at + 2)) : size;
      return at + head;
    } else if (left < head + size) {
      return at;
    }
    if (opcode == CLOSE || opcode == PING) {
      onControl.accept(opcode, content(all, at + head, size, head > 2 + extended));
    }
    return at + head + size;
  }

  private static Buffer content(Buffer all, int from, int size, boolean masked) {
    Buffer content = all.getBuffer(from, from + size);
    for (int i = 0; masked && i < size; i++) {
      byte mask = all.getByte(from - MASK_BYTES + i % MASK_BYTES);
      content.setByte(i, (byte) (content.getByte(i) ^ mask));
    }
    return content;
  }
}
