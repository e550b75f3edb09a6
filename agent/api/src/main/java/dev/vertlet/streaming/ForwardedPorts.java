package dev.vertlet.streaming;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses ports from client requests; error messages are a kubelet's. */
final class ForwardedPorts {
  private static final int HIGHEST = 65535;

  private ForwardedPorts() {}

  /** Parsed ports, or an error message. */
  record Read(List<Integer> ports, @Nullable String complaint) {}

  /**
   * Parses the values of the query parameter {@code port}, each with one or several ports.
   *
   * @param most maximum number of ports
   */
  static Read query(List<String> values, int most) {
    if (values.isEmpty()) {
      return complaint("query parameter \"port\" is required");
    }
    List<Integer> ports = new ArrayList<>();
    for (String value : values) {
      if (value.isEmpty()) {
        return complaint("query parameter \"port\" cannot be empty");
      }
      for (String part : value.split(",", -1)) {
        String complaint = complaint(part, value);
        if (complaint != null) {
          return complaint(complaint);
        }
        ports.add(Integer.parseInt(part));
      }
    }
    if (ports.size() > most) {
      return complaint(
          "query parameter \"port\" names "
              + ports.size()
              + " ports, at most "
              + most
              + " are forwarded at once");
    }
    return new Read(List.copyOf(ports), null);
  }

  private static Read complaint(String text) {
    return new Read(List.of(), text);
  }

  /** Returns why a stream with these headers is no port-forward stream; null when it is one. */
  static @Nullable String streamComplaint(String port, String kind) {
    if (port.isEmpty()) {
      return "\"port\" header is required";
    }
    String complaint = complaint(port, port);
    if (complaint != null) {
      return complaint;
    }
    if (kind.isEmpty()) {
      return "\"streamType\" header is required";
    }
    return kind.equals("error") || kind.equals("data")
        ? null
        : "invalid stream type " + quoted(kind);
  }

  private static @Nullable String complaint(String port, String whole) {
    if (port.isEmpty() || !port.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return unparsed(port, whole, "invalid syntax");
    }
    int number = 0;
    for (int i = 0; i < port.length() && number <= HIGHEST; i++) {
      number = number * 10 + port.charAt(i) - '0';
    }
    if (number > HIGHEST) {
      return unparsed(port, whole, "value out of range");
    }
    return number > 0 ? null : "port " + quoted(whole) + " must be > 0";
  }

  private static String unparsed(String port, String whole, String why) {
    return "unable to parse "
        + quoted(whole)
        + " as a port: strconv.ParseUint: parsing "
        + quoted(port)
        + ": "
        + why;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < ' ' || c > '~') {
                quoted.append("\\u%04x".formatted(c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }
}
