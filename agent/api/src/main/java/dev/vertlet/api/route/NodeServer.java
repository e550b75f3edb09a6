package dev.vertlet.api.route;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.server.ServerSettings;
import java.time.Duration;

/**
 * Settings of one node's kubelet API.
 *
 * @param config server settings; ranges, limits and unauthenticated ports are those of the process
 * @param port 1 to 65535; 0 for a port of {@code server.portRange}
 */
public record NodeServer(ServerSettings config, int port) {

  /** Settings of request handling; nodes with equal settings share its objects. */
  public record Answering(
      Authentication authentication,
      Authorization authorization,
      boolean debugging,
      String logDirectory,
      Duration idle,
      Duration creation) {}

  public Answering answering() {
    return new Answering(
        config.authentication(),
        config.authorization(),
        config.enableDebuggingHandlers(),
        config.logDirectory(),
        config.streamingConnectionIdleTimeout(),
        config.streamCreationTimeout());
  }

  /** Returns whether the listener can keep its current port. */
  public boolean stays(NodeServer before, int now) {
    boolean there = port == 0 ? before.port == 0 || config.portRange().has(now) : port == now;
    return there && config.kubeletAddress().equals(before.config.kubeletAddress());
  }
}
