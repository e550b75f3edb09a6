package dev.vertlet.cri.sandbox;

import dev.vertlet.cri.wire.SandboxMessages.PodIP;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxNetworkStatus;
import dev.vertlet.provider.container.SandboxRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox as the runtime has it.
 *
 * @param ready whether containers can run in it
 * @param createdAt nanoseconds since 1970
 * @param ips primary first; empty on the host's network, and for one that is not ready
 */
public record SandboxState(
    String id, int attempt, boolean ready, long createdAt, List<String> ips) {
  public SandboxState {
    ips = List.copyOf(ips);
  }

  /** Returns this sandbox once it is no longer ready. */
  public SandboxState stopped() {
    return new SandboxState(id, attempt, false, createdAt, List.of());
  }

  /** The sandbox as the kubelet core knows it. */
  public SandboxRecord record() {
    return new SandboxRecord(id, attempt, ips);
  }

  /** Addresses of a network; null for one that the runtime does not manage. */
  public static List<String> ips(@Nullable PodSandboxNetworkStatus network) {
    List<String> ips = new ArrayList<>();
    if (network != null && !network.ip().isEmpty()) {
      ips.add(network.ip());
      network.additionalIps().stream().map(PodIP::ip).forEach(ips::add);
    }
    return ips;
  }
}
