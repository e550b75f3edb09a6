package dev.vertlet.simulated;

import dev.vertlet.simulated.rule.Hash64;
import java.util.HexFormat;

/**
 * Derives sandbox and container IDs: 128 bits from pod, container and attempt, so that a restart of
 * the agent derives the same ones.
 */
final class Ids {
  private static final String SCHEME = "simulated://";

  private Ids() {}

  static String container(String podUid, String container, int attempt) {
    return id(podUid, container, attempt);
  }

  /** Returns the ID of a sandbox. No container is named "", so it never equals a container's ID. */
  static String sandbox(String podUid, int attempt) {
    return id(podUid, "", attempt);
  }

  private static String id(String podUid, String name, int attempt) {
    long first = Hash64.of(Hash64.of(attempt, podUid), name);
    HexFormat hex = HexFormat.of();
    return SCHEME + hex.toHexDigits(first) + hex.toHexDigits(Hash64.of(first, podUid, name));
  }
}
