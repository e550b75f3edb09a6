package dev.vertlet.apiserver;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
   * The UDP socket of each port given out, which claims the number for this process until it ends:
   * a check by binding TCP does not see a port whose server starts a second later. Shared by all
   * threads.
   */
  private static final Map<Integer, DatagramSocket> CLAIMED = new ConcurrentHashMap<>();

  private LoopbackPorts() {}

  /**
   * Returns a free port that neither this process has given out before nor another one that still
   * runs.
   *
   * @throws IllegalStateException when there is none
   */
  public static int next() {
    int end = Math.max(ephemeralStart(), LOWEST + ATTEMPTS);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
      if (isFree(port) && claim(port)) {
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
   * Reserves the port of an earlier run of the same server if it is free and no other process has
   * claimed it; it is not given out again.
   */
  public static boolean again(int port) {
    return isFree(port) && (CLAIMED.containsKey(port) || claim(port));
  }

  /** Returns false when this process or another one has claimed the port. */
  private static boolean claim(int port) {
    try {
      CLAIMED.put(port, new DatagramSocket(port, InetAddress.getLoopbackAddress()));
      return true;
    } catch (SocketException claimed) {
      return false;
    }
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
