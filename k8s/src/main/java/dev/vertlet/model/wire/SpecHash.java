package dev.vertlet.model.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * 64-bit hash of encoded bytes, eight at a time (multiply, rotate, Murmur3's final mix). It detects
 * a changed spec; it does not resist deliberate collisions.
 */
final class SpecHash {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;

  private SpecHash() {}

  static long of(byte[] bytes, int from, int to) {
    long hash = P1 ^ (to - from);
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash, (long) WORDS.get(bytes, at));
    }
    long rest = 0;
    for (int shift = 0; at < to; at++, shift += 8) {
      rest |= (bytes[at] & 0xffL) << shift;
    }
    hash = mix(hash, rest);
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }

  private static long mix(long hash, long word) {
    return Long.rotateLeft(hash ^ Long.rotateLeft(word * P2, 31) * P1, 27) * P1 + P2;
  }
}
