package dev.vertlet.cri.wire;

/** Bytes are not the message that they should be. */
public final class ProtoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtoException(String message) {
    super(message, null, false, false);
  }
}
