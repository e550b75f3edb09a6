package dev.vertlet.server;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.tls.ServingTls;
import java.time.Duration;

/** What the servers of an agent need of its configuration; the section {@code server} has it. */
public interface ServerSettings {
  /** Above this number of nodes they share one port: a listener per node would cost too much. */
  int MOST_PORTS = 64;

  String address();

  int port();

  boolean enableServer();

  String kubeletAddress();

  PortRange portRange();

  int readOnlyPort();

  int healthzPort();

  boolean enableDebuggingHandlers();

  boolean extendWebSocketsToKubelet();

  String logDirectory();

  Duration streamingConnectionIdleTimeout();

  Duration streamCreationTimeout();

  int maxHeaderBytes();

  int maxRequests();

  int maxConnections();

  ServingTls tls();

  Authentication authentication();

  Authorization authorization();
}
