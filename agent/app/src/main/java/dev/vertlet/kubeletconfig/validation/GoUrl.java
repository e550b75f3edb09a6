package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * URL as Go parses it, for Go's error message. Go has several messages for an invalid address in
 * brackets; here all of them have the same one.
 *
 * @param scheme scheme in lower case; empty for none
 * @param problem error in Go's words; empty for none
 * @see <a href="https://pkg.go.dev/net/url#Parse">url.Parse</a>
 */
record GoUrl(String scheme, String problem) {
  private static final Pattern SCHEME = Pattern.compile("(?:[A-Za-z][A-Za-z0-9+.-]*)?:");
  private static final Pattern PORT = Pattern.compile("(:[0-9]*)?");
  private static final Pattern DOTTED = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");
  private static final Pattern DIGITS = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9\\-._:~!$&'()*+,;=%@]*");

  /** Unescaped host characters besides letters, digits and non-ASCII characters. */
  private static final String IN_HOST = "-_.~!$&'()*+,;=:[]<>\"";

  static GoUrl parse(String url) {
    int hash = url.indexOf('#');
    String before = hash < 0 ? url : url.substring(0, hash);
    try {
      String scheme = read(before);
      if (hash >= 0) {
        before = url;
        escapes(url.substring(hash + 1), false);
      }
      return new GoUrl(scheme, "");
    } catch (UnreadableException e) {
      return new GoUrl("", "parse %s: %s".formatted(quoted(before), e.problem));
    }
  }

  private static String read(String url) throws UnreadableException {
    if (url.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new UnreadableException("net/url: invalid control character in URL");
    }
    Matcher found = SCHEME.matcher(url);
    String scheme = "";
    String rest = url;
    if (found.lookingAt()) {
      scheme = url.substring(0, found.end() - 1).toLowerCase(Locale.ROOT);
      rest = url.substring(found.end());
      if (scheme.isEmpty()) {
        throw new UnreadableException("missing protocol scheme");
      }
    }
    int query = rest.indexOf('?');
    rest = query < 0 ? rest : rest.substring(0, query);
    if (!rest.startsWith("/")) {
      if (scheme.isEmpty() && rest.split("/", 2)[0].contains(":")) {
        throw new UnreadableException("first path segment in URL cannot contain colon");
      }
      if (!scheme.isEmpty()) {
        return scheme; // Go does not check the rest
      }
    }
    if (rest.startsWith("//") && !(scheme.isEmpty() && rest.startsWith("///"))) {
      int slash = rest.indexOf('/', 2);
      authority(slash < 0 ? rest.substring(2) : rest.substring(2, slash));
      rest = slash < 0 ? "" : rest.substring(slash);
    }
    escapes(rest, false);
    return scheme;
  }

  private static void authority(String authority) throws UnreadableException {
    int at = authority.lastIndexOf('@');
    host(authority.substring(at + 1));
    if (at >= 0) {
      String user = authority.substring(0, at);
      if (!USER.matcher(user).matches()) {
        throw new UnreadableException("net/url: invalid userinfo");
      }
      int colon = user.indexOf(':');
      escapes(colon < 0 ? user : user.substring(0, colon), false);
      escapes(colon < 0 ? "" : user.substring(colon + 1), false);
    }
  }

  private static void host(String host) throws UnreadableException {
    int open = host.lastIndexOf('[');
    if (open > 0) {
      throw new UnreadableException("invalid IP-literal");
    }
    if (open == 0) {
      literal(host);
      return;
    }
    int colon = host.lastIndexOf(':');
    if (colon >= 0) {
      port(host.substring(colon));
    }
    escapes(host, true);
  }

  private static void literal(String host) throws UnreadableException {
    int close = host.lastIndexOf(']');
    if (close < 0) {
      throw new UnreadableException("missing ']' in host");
    }
    port(host.substring(close + 1));
    String address = host.substring(1, close);
    escapes(address, true);
    if (DOTTED.matcher(address).matches()) {
      throw new UnreadableException("invalid IP-literal");
    }
    if (!isIpv6(address)) {
      throw new UnreadableException(
          "invalid host: ParseAddr(%s): unable to parse IP".formatted(quoted(address)));
    }
  }

  private static boolean isIpv6(String address) {
    int zone = address.indexOf("%25");
    String number = zone < 0 ? address : address.substring(0, zone);
    try {
      // nothing else reaches the JDK, which would look it up in DNS
      return DIGITS.matcher(number).matches()
          && InetAddress.getByName(number).getAddress().length > 0;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static void port(String port) throws UnreadableException {
    if (!PORT.matcher(port).matches()) {
      throw new UnreadableException("invalid port %s after host".formatted(quoted(port)));
    }
  }

  /** Checks escapes: a host has few ASCII characters, and escapes only the percent sign. */
  private static void escapes(String part, boolean host) throws UnreadableException {
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '%') {
        String escape = part.substring(i, Math.min(i + 3, part.length()));
        boolean sound = escape.matches("%[0-9A-Fa-f]{2}");
        if (!sound || (host && escape.charAt(1) < '8' && !escape.equals("%25"))) {
          throw new UnreadableException("invalid URL escape " + quoted(escape));
        }
        i += 2;
      } else if (host && c < 0x80 && !Character.isLetterOrDigit(c) && IN_HOST.indexOf(c) < 0) {
        throw new UnreadableException(
            "invalid character %s in host name".formatted(quoted(String.valueOf(c))));
      }
    }
  }

  private static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    private final String problem;

    UnreadableException(String problem) {
      super(problem);
      this.problem = problem;
    }
  }
}
