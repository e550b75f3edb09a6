package dev.vertlet.provider.container;

import java.util.List;

/**
 * A pod's sandbox.
 *
 * @param ips primary first; empty for a pod on the host's network
 */
public record SandboxRecord(String id, int attempt, List<String> ips) {
  public SandboxRecord {
    ips = List.copyOf(ips);
  }
}
