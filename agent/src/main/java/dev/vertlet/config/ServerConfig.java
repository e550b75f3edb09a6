package dev.vertlet.config;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.ServingTls;
import dev.vertlet.problem.Problems;
import java.time.Duration;
import java.util.List;

/**
 * What is served over HTTP: health and metrics of the agent, and the API of its nodes' kubelets.
 *
 * @param address to listen on for health and metrics
 * @param port 1 to 65535, or 0 for any free one
 * @param open whether everybody who reaches that port may read metrics and page
 * @param tokenFile whose bearer token may read them, too; empty for none
 * @param enableServer whether the kubelets' API is served at all
 * @param kubeletAddress to listen on for it
 * @param portRange ports for it, one for each node
 * @param readOnlyPort plain HTTP without authentication; 0 for none
 * @param healthzPort on the loopback address; 0 for none
 * @param enableDebuggingHandlers whether logs, exec and the like are served
 * @param extendWebSocketsToKubelet whether nodes declare that API servers may speak WebSocket with
 *     their kubelets; those of 1.36 on then do
 * @param logDirectory whose files {@code /logs/} serves; empty for none
 * @param streamingConnectionIdleTimeout after which a quiet exec, attach or port-forward is closed
 * @param streamCreationTimeout for the streams of a session to be opened
 * @param maxHeaderBytes longest request line and longest header
 * @param maxRequests that are served at once
 * @param maxConnections that are open at once, on all ports together
 * @param page for people, beside health and metrics
 */
public record ServerConfig(
    String address,
    int port,
    boolean open,
    String tokenFile,
    boolean enableServer,
    String kubeletAddress,
    PortRange portRange,
    int readOnlyPort,
    int healthzPort,
    boolean enableDebuggingHandlers,
    boolean extendWebSocketsToKubelet,
    String logDirectory,
    Duration streamingConnectionIdleTimeout,
    Duration streamCreationTimeout,
    int maxHeaderBytes,
    int maxRequests,
    int maxConnections,
    ServingTls tls,
    Authentication authentication,
    Authorization authorization,
    PageConfig page) {
  /** Above so many nodes they share a port: a listener each would cost more than it is worth. */
  public static final int MOST_PORTS = 64;

  public ServerConfig {
    new Problems("/server")
        .range("/port", port, 0, 65_535)
        .range("/readOnlyPort", readOnlyPort, 0, 65_535)
        .range("/healthzPort", healthzPort, 0, 65_535)
        .range(
            "/streamingConnectionIdleTimeout",
            streamingConnectionIdleTimeout,
            Duration.ofSeconds(1),
            Duration.ofHours(24))
        .range(
            "/streamCreationTimeout",
            streamCreationTimeout,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5))
        .range("/maxHeaderBytes", maxHeaderBytes, 8_192, 1_048_576)
        .range("/maxRequests", maxRequests, 1, 100_000)
        .range("/maxConnections", maxConnections, 1, 100_000)
        .done(ConfigException::new);
  }

  /** What of it a payload can change for the process alone. */
  public List<Object> ofProcess() {
    return List.of(enableServer, readOnlyPort, healthzPort);
  }

  /** What of it a payload can change for one node. */
  public List<Object> ofNode() {
    return List.of(
        kubeletAddress,
        enableDebuggingHandlers,
        logDirectory,
        streamingConnectionIdleTimeout,
        tls,
        authentication,
        authorization);
  }

  /** What an empty section means. */
  public static ServerConfig defaults() {
    return Defaults.SERVER;
  }

  /** The same, with the check of a kubelet's health on another port. */
  public ServerConfig withHealthzPort(int other) {
    return with(address, port, other);
  }

  /** The same, with health and metrics somewhere else. */
  public ServerConfig at(String otherAddress, int otherPort) {
    return with(otherAddress, otherPort, healthzPort);
  }

  private ServerConfig with(String otherAddress, int otherPort, int otherHealthzPort) {
    return new ServerConfig(
        otherAddress,
        otherPort,
        open,
        tokenFile,
        enableServer,
        kubeletAddress,
        portRange,
        readOnlyPort,
        otherHealthzPort,
        enableDebuggingHandlers,
        extendWebSocketsToKubelet,
        logDirectory,
        streamingConnectionIdleTimeout,
        streamCreationTimeout,
        maxHeaderBytes,
        maxRequests,
        maxConnections,
        tls,
        authentication,
        authorization,
        page);
  }
}
