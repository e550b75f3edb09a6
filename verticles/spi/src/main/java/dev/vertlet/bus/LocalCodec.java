package dev.vertlet.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/**
 * Passes the reference: legal because every BusMessage is immutable and the bus is never clustered.
 */
final class LocalCodec implements MessageCodec<BusMessage, BusMessage> {
  static final String NAME = "vertlet.local";

  @Override
  public BusMessage transform(BusMessage message) {
    return message;
  }

  @Override
  public void encodeToWire(Buffer buffer, BusMessage message) {
    throw new IllegalStateException("the bus is local; it never encodes " + message.getClass());
  }

  @Override
  public BusMessage decodeFromWire(int pos, Buffer buffer) {
    throw new IllegalStateException("the bus is local; it never decodes");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
