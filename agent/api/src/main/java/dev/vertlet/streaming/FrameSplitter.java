package dev.vertlet.streaming;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Splits long frames of a WebSocket client into several short ones, so that the frame decoder,
 * which buffers whole frames, buffers at most a short one. Invalid frames pass unchanged, as the
 * decoder refuses them. It precedes the decoder in the pipeline.
 */
final class FrameSplitter extends ByteToMessageDecoder {
  /**
   * Longest payload after the split. A multiple of 4, so that every piece starts at the first byte
   * of the mask.
   */
  static final int PIECE = 32 * 1024;

  private static final int FINAL = 0x80;
  private static final int CONTROL = 0x08;
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7f;
  private static final int SHORT = 126;
  private static final int LONG = 127;
  private static final int LEAST_LONG = 0x10000;

  /** Bytes of the frame's payload that are still to be forwarded. */
  private long rest;

  /** Bytes of {@link #rest} that belong to the current piece, whose header has been forwarded. */
  private long piece;

  /** The FIN bit of the frame that is split. */
  private int last;

  private int mask;

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (rest == 0) {
      begin(context, in, out);
      return;
    }
    if (piece == 0) {
      piece = Math.min(PIECE, rest);
      out.add(header(context, piece == rest ? last : 0));
    }
    int now = (int) Math.min(piece, in.readableBytes());
    piece -= now;
    rest -= now;
    out.add(in.readRetainedSlice(now));
  }

  private void begin(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int start = in.readerIndex();
    if (in.readableBytes() < 2) {
      return;
    }
    int first = in.getUnsignedByte(start);
    int second = in.getUnsignedByte(start + 1);
    int marker = second & LENGTH;
    boolean masked = (second & MASKED) != 0;
    int size = 2 + (marker == SHORT ? 2 : marker == LONG ? 8 : 0);
    int whole = size + (masked ? 4 : 0);
    if (in.readableBytes() < whole) {
      return;
    }
    long length =
        marker == SHORT
            ? in.getUnsignedShort(start + 2)
            : marker == LONG ? in.getLong(start + 2) : marker;
    boolean proper = masked && (first & CONTROL) == 0 && (marker == SHORT || length >= LEAST_LONG);
    if (length <= PIECE || !proper) {
      rest = Math.max(0, length);
      piece = rest;
      out.add(in.readRetainedSlice(whole));
      return;
    }
    mask = in.getInt(start + size);
    last = first & FINAL;
    rest = length;
    piece = PIECE;
    in.skipBytes(whole);
    ByteBuf head = header(context, 0);
    head.setByte(0, first & ~FINAL);
    out.add(head);
  }

  /** Returns the header of a continuation frame. */
  private ByteBuf header(ChannelHandlerContext context, int end) {
    ByteBuf head = context.alloc().buffer(8).writeByte(end);
    if (piece < SHORT) {
      head.writeByte(MASKED | (int) piece);
    } else {
      head.writeByte(MASKED | SHORT).writeShort((int) piece);
    }
    return head.writeInt(mask);
  }
}
