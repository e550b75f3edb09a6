package dev.vertlet.apiserver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds TCP ports on 127.0.0.1 that are free and stay free while their server is down.
 *
 * <p>Port 0 does not suit a server that is killed and started again: it takes a port from the
 * kernel's range for outgoing connections, and a client that keeps dialling the dead server's port
 * ends up connected to itself, so the server cannot listen again. These ports lie below that range.
 */
public final class LoopbackPorts {
  /** Lowest port, above the default ports of kubelets and of agents with 64 nodes. */
  private static final int LOWEST = 10_400;

  /** Default start of Linux's range for outgoing connections, for systems that do not report it. */
  private static final int DEFAULT_EPHEMERAL = 32_768;

  private static final int ATTEMPTS = 1_000;

  /**
   * Ports given out by this JVM. A check by binding does not see them before their use. Shared by
   * all threads.
   */
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  private LoopbackPorts() {}

  /**
   * Returns a free port that this JVM has not given out before.
   *
   * @throws IllegalStateException when there is none
   */
  public static int next() {
    int end = Math.max(ephemeralStart(), LOWEST + ATTEMPTS);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
      if (isFree(port) && TAKEN.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port on 127.0.0.1 between "
            + LOWEST
            + " and "
            + end
            + " in "
            + ATTEMPTS
            + " attempts");
  }

  /**
   * Reserves the port of an earlier run of the same server if it is free; it is not given out
   * again.
   */
  public static boolean again(int port) {
    if (!isFree(port)) {
      return false;
    }
    TAKEN.add(port);
    return true;
  }

  /** Whether no server listens on the port now. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException inUse) {
      return false;
    }
  }

  private static int ephemeralStart() {
    try {
      String range = Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range")).strip();
      return Integer.parseInt(range.split("\\s+", 2)[0]);
    } catch (IOException | NumberFormatException notLinux) {
      return DEFAULT_EPHEMERAL;
    }
  }
}
