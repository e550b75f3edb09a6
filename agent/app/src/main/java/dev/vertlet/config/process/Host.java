package dev.vertlet.config.process;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Facts about the machine that the configuration depends on.
 *
 * @param name host name in lower case
 * @param address first global unicast address of the machine, IPv4 before IPv6, and before others
 *     one of the interface of the default route, as a kubelet's; 127.0.0.1 when it has none
 * @param osImage OS image as nodes report it
 * @param kernelVersion kernel version as nodes report it
 * @param processors at least 1
 * @param home home directory of the user
 * @param writesVarLib whether this user may write {@code /var/lib/vertlet}
 */
public record Host(
    String name,
    String address,
    String osImage,
    String kernelVersion,
    int processors,
    Path home,
    boolean writesVarLib) {

  /** Reads them from the operating system. Blocks for milliseconds: not for event loops. */
  public static Host detect() {
    return new Host(
        hostName(),
        firstAddress(),
        readOsImage(),
        System.getProperty("os.version", ""),
        Runtime.getRuntime().availableProcessors(),
        Path.of(System.getProperty("user.home", "/")),
        mayWriteVarLib());
  }

  /** Reads the kernel's host name first: the JDK's look-up may wait for a DNS server. */
  private static String hostName() {
    String name = firstLine(Path.of("/proc/sys/kernel/hostname"));
    if (name.isEmpty()) {
      try {
        name = InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        name = "localhost";
      }
    }
    return name.toLowerCase(Locale.ROOT);
  }

  /** An address that stays when interfaces come, as the bridge of a container runtime does. */
  private static String firstAddress() {
    String outward = defaultInterface(lines(Path.of("/proc/net/route")));
    List<InetAddress> candidates = new ArrayList<>();
    List<InetAddress> routed = new ArrayList<>();
    try {
      for (NetworkInterface link : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (link.isUp() && !link.isLoopback()) {
          List<InetAddress> addresses = Collections.list(link.getInetAddresses());
          candidates.addAll(addresses);
          if (link.getName().equals(outward)) {
            routed.addAll(addresses);
          }
        }
      }
    } catch (SocketException e) {
      return "127.0.0.1"; // a sandbox without network interfaces
    }
    candidates.removeIf(Host::isLocal);
    // false is before true
    candidates.sort(
        Comparator.<InetAddress, Boolean>comparing(address -> !(address instanceof Inet4Address))
            .thenComparing(address -> !routed.contains(address)));
    return candidates.isEmpty() ? "127.0.0.1" : candidates.get(0).getHostAddress();
  }

  /**
   * Returns the interface of the default route with the lowest metric; empty without one.
   *
   * @param routes lines of {@code /proc/net/route}
   */
  static String defaultInterface(List<String> routes) {
    String found = "";
    long lowest = Long.MAX_VALUE;
    for (String route : routes) {
      // Iface Destination Gateway Flags RefCnt Use Metric Mask
      String[] fields = route.strip().split("\\s+");
      boolean isDefault =
          fields.length > 7 && fields[1].equals("00000000") && fields[7].equals("00000000");
      if (isDefault && Long.parseLong(fields[6]) < lowest) {
        lowest = Long.parseLong(fields[6]);
        found = fields[0];
      }
    }
    return found;
  }

  private static boolean isLocal(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isMulticastAddress()
        || address.isAnyLocalAddress();
  }

  private static String readOsImage() {
    try {
      for (String line : Files.readAllLines(Path.of("/etc/os-release"))) {
        if (line.startsWith("PRETTY_NAME=")) {
          return line.substring("PRETTY_NAME=".length()).replace("\"", "");
        }
      }
    } catch (IOException e) {
      // not Linux, or an image without the file: the JDK's name is good enough
    }
    return System.getProperty("os.name", "");
  }

  private static boolean mayWriteVarLib() {
    Path own = Path.of("/var/lib/vertlet");
    return Files.isWritable(Files.exists(own) ? own : Path.of("/var/lib"));
  }

  private static String firstLine(Path file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? "" : lines.get(0).strip();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of(); // not Linux
    }
  }
}
