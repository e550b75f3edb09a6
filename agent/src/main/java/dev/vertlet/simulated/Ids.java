package dev.vertlet.simulated;

import java.util.HexFormat;

/** Names of sandboxes and containers: 128 bits made from what they are, so that they come again. */
final class Ids {
  private static final String SCHEME = "simulated://";

  private Ids() {}

  static String container(String podUid, String container, int attempt) {
    return id(podUid, container, attempt);
  }

  /** No container is called "", so a sandbox never shares an id with one. */
  static String sandbox(String podUid, int attempt) {
    return id(podUid, "", attempt);
  }

  private static String id(String podUid, String name, int attempt) {
    long first = Hash64.of(Hash64.of(attempt, podUid), name);
    HexFormat hex = HexFormat.of();
    return SCHEME + hex.toHexDigits(first) + hex.toHexDigits(Hash64.of(first, podUid, name));
  }
}
