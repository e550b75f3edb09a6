package dev.vertlet.simulated.rule;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Listeners on a pod's ports.
 *
 * @param listeners listeners by port; null for {@link Listener#AUTO} on every port
 */
public record ListeningPorts(@Nullable Map<Integer, Listener> listeners) {
  /** A listener on every port. */
  public static final ListeningPorts ANY = new ListeningPorts(null);

  private static final Pattern ONE = Pattern.compile("([0-9]{1,5})(?::(auto|echo|http))?");
  private static final int LAST = 65535;

  public enum Listener {
    /** Speaks HTTP with a client that starts with HTTP; echoes otherwise. */
    AUTO,
    ECHO,
    HTTP
  }

  public ListeningPorts {
    listeners = listeners == null ? null : Map.copyOf(listeners);
  }

  /**
   * Parses {@code any}, {@code none} or ports such as {@code 80:http,7:echo,9000}.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  public static ListeningPorts parse(String text) {
    if (text.equals("any")) {
      return ANY;
    }
    Map<Integer, Listener> listeners = new TreeMap<>();
    if (text.equals("none")) {
      return new ListeningPorts(listeners);
    }
    for (String part : text.split(",", -1)) {
      Matcher one = ONE.matcher(part.strip());
      int port = one.matches() ? Integer.parseInt(one.group(1)) : 0;
      if (port < 1 || port > LAST) {
        throw new IllegalArgumentException(
            "\""
                + text
                + "\" says no ports: want any, none, or some from 1 to 65535, each with :http,"
                + " :echo or nothing behind it (80:http,7:echo,9000)");
      }
      String what = one.group(2);
      listeners.put(
          port,
          "http".equals(what)
              ? Listener.HTTP
              : "echo".equals(what) ? Listener.ECHO : Listener.AUTO);
    }
    return new ListeningPorts(listeners);
  }

  /** Returns the listener on a port; null for none. */
  public @Nullable Listener on(int port) {
    return listeners == null ? Listener.AUTO : listeners.get(port);
  }
}
