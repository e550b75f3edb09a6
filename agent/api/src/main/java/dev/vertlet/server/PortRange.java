package dev.vertlet.server;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Range of ports.
 *
 * @param first 1 to 65535; 0 for any free port
 * @param last at least {@code first}
 */
public record PortRange(int first, int last) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
  private static final int LAST_PORT = 65_535;

  /**
   * Ports of a kubelet (read-only), kube-proxy, kube-controller-manager, cloud-controller-manager
   * and kube-scheduler, which may start on this machine later.
   */
  private static final int FIRST_TAKEN = 10_255;

  private static final int LAST_TAKEN = 10_259;

  /**
   * Parses a range.
   *
   * @param text such as {@code 10250-10318}, {@code 10250} or {@code 0}
   * @return empty for any other text
   */
  public static Optional<PortRange> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    boolean known = last <= LAST_PORT && first <= last && (first > 0 || last == 0);
    return known ? Optional.of(new PortRange(first, last)) : Optional.empty();
  }

  /** Returns whether the operating system chooses the port. */
  public boolean any() {
    return first == 0;
  }

  /** Returns whether the range contains the port. */
  public boolean has(int port) {
    return any() || (port >= first && port <= last);
  }

  /** Returns the usable ports in order; a longer range skips ports of other components. */
  public List<Integer> ports() {
    return IntStream.rangeClosed(first, last)
        .filter(port -> first == last || port < FIRST_TAKEN || port > LAST_TAKEN)
        .boxed()
        .toList();
  }

  @Override
  public String toString() {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
