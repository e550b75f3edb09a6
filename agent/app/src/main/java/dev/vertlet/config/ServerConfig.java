package dev.vertlet.config;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.problem.Problems;
import dev.vertlet.server.PortRange;
import dev.vertlet.server.ServerSettings;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * Section {@code server}: the HTTP servers for the agent's health and metrics and for its nodes'
 * kubelet API.
 *
 * @param address listen address for health and metrics
 * @param port 1 to 65535; 0 for any free port
 * @param open whether metrics and page need no authentication
 * @param tokenFile file with a bearer token that may read them, too; empty for none
 * @param enableServer whether the kubelet API is served
 * @param kubeletAddress listen address for the kubelet API
 * @param portRange ports for the kubelet API, one per node
 * @param readOnlyPort port for plain HTTP without authentication; 0 for none
 * @param healthzPort port on the loopback address; 0 for none
 * @param enableDebuggingHandlers whether logs, exec and the other debugging endpoints are served
 * @param extendWebSocketsToKubelet whether nodes declare that API servers may use WebSocket to
 *     their kubelets; API servers from 1.36 on then do
 * @param logDirectory directory that {@code /logs/} serves; empty for none
 * @param streamingConnectionIdleTimeout idle time after which an exec, attach or port-forward
 *     session is closed
 * @param streamCreationTimeout time limit for opening the streams of a session
 * @param maxHeaderBytes longest request line and longest header in bytes
 * @param maxRequests requests that are served at once
 * @param maxConnections open connections on all ports together
 * @param page the status page
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
    Page page)
    implements ServerSettings {
  /**
   * Section {@code server.page}: the status page beside health and metrics.
   *
   * @param enabled whether the page is served; its figures are collected only then
   */
  public record Page(boolean enabled) {}

  public ServerConfig {
    new Problems("/server")
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
        .done(ConfigException::new);
  }

  /** Returns the settings that a dynamic config can change for the process only. */
  public List<Object> ofProcess() {
    return List.of(enableServer, readOnlyPort, healthzPort);
  }

  /** Returns the settings that a dynamic config can change for one node. */
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

  /**
   * Returns the settings of a section by itself: its variables and home directories stay as they
   * are.
   */
  public static ServerConfig of(JsonObject section) {
    return new SectionBinder(ConfigSchema.load(), (place, text) -> text, (place, text) -> text)
        .bind("/server", section, ServerConfig.class);
  }
}
