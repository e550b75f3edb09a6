package dev.vertlet.kubelet;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.config.ServerConfig;
import java.time.Duration;

/**
 * How the kubelet of a node is served.
 *
 * @param config of which the ranges, the limits and the ports for everybody are the process'
 * @param port 1 to 65535; 0 for its place in {@code server.portRange}
 */
public record NodeServer(ServerConfig config, int port) {

  /** What answers requests; those who agree in it share it. */
  record Answering(
      Authentication authentication,
      Authorization authorization,
      boolean debugging,
      String logDirectory,
      Duration idle,
      Duration creation) {}

  Answering answering() {
    return new Answering(
        config.authentication(),
        config.authorization(),
        config.enableDebuggingHandlers(),
        config.logDirectory(),
        config.streamingConnectionIdleTimeout(),
        config.streamCreationTimeout());
  }

  /** Whether a listener that is on a port now may stay there. */
  boolean stays(NodeServer before, int now) {
    boolean there = port == 0 ? before.port == 0 || config.portRange().has(now) : port == now;
    return there && config.kubeletAddress().equals(before.config.kubeletAddress());
  }
}
