package dev.vertlet.harness.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds TCP ports on 127.0.0.1 that are free and stay so while their server is down.
 *
 * <p>Port 0 would not do for a server that is killed and started again: it takes a port of the
 * range from which the kernel serves outgoing connections, and a client that keeps dialling the
 * dead server's port ends up connected to itself, whereupon the server cannot come back. These
 * ports lie below that range.
 */
public final class LoopbackPorts {
  /** Above those that kubelets, and agents of 64 nodes, have by default. */
  private static final int LOWEST = 10_400;

  /** Linux's own default, for systems that do not tell. */
  private static final int DEFAULT_EPHEMERAL = 32_768;

  private static final int ATTEMPTS = 1_000;

  /**
   * Shared by every thread of the JVM: the ports given out, which the test by binding cannot see
   * until they are used.
   */
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  private LoopbackPorts() {}

  /**
   * A port nobody listens on, never given out before in this JVM.
   *
   * @throws IllegalStateException when none is found
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
   * A port that was given out to an earlier run of the same server, if nobody listens on it now;
   * then nobody else is given it any more.
   */
  public static boolean again(int port) {
    if (!isFree(port)) {
      return false;
    }
    TAKEN.add(port);
    return true;
  }

  /** Whether nobody listens on a port now. */
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
