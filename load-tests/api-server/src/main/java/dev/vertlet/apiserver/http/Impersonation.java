package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Impersonate-*} headers: as whom a request shall be served. Other headers that name
 * users, such as {@code X-Remote-User}, belong to an authenticating proxy, which this server does
 * not have, and count for nothing.
 *
 * @see <a href="https://kep.k8s.io/5284">KEP-5284, constrained impersonation</a>
 */
public final class Impersonation {
  private static final String PREFIX = "impersonate-";
  private static final String USER = PREFIX + "user";
  private static final String GROUP = PREFIX + "group";
  private static final String UID = PREFIX + "uid";
  private static final String EXTRA = PREFIX + "extra-";

  private Impersonation() {}

  /** Whether there is any such header; every request is asked, so nothing is copied. */
  public static boolean isAsked(MultiMap headers) {
    for (Map.Entry<String, String> header : headers) {
      if (startsWith(header.getKey(), PREFIX)) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(String name, String prefix) {
    return name.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  /**
   * The user that a request asks for.
   *
   * @throws ApiException 400 for groups, a UID or extra values without a user name
   */
  static Optional<User> wanted(MultiMap headers) {
    String name = text(headers.get(USER));
    String uid = text(headers.get(UID));
    List<String> groups = headers.getAll(GROUP);
    Map<String, List<String>> extra = extra(headers);
    if (!name.isEmpty()) {
      return Optional.of(new User(name, uid, completed(name, groups), extra));
    } else if (uid.isEmpty() && groups.isEmpty() && extra.isEmpty()) {
      return Optional.empty();
    }
    throw ApiException.badRequest(
        "requested &user.DefaultInfo{Name:\"\", UID:\"%s\", Groups:%s, Extra:%s} without impersonating a user name"
            .formatted(uid, shown(groups), shown(extra)));
  }

  private static String text(@Nullable String header) {
    return header == null ? "" : header;
  }

  private static Map<String, List<String>> extra(MultiMap headers) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    for (Map.Entry<String, String> header : headers) {
      if (startsWith(header.getKey(), EXTRA)) {
        String key = unescaped(header.getKey().substring(EXTRA.length()).toLowerCase(Locale.ROOT));
        extra.computeIfAbsent(key, unknown -> new ArrayList<>()).add(header.getValue());
      }
    }
    return extra;
  }

  /** A key that is badly escaped counts as it stands. */
  private static String unescaped(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return key;
    }
  }

  /** The groups that come with a name, where none are asked for, and those that everybody is in. */
  private static List<String> completed(String name, List<String> asked) {
    List<String> groups = new ArrayList<>(asked);
    String[] account = name.split(":", -1);
    if (asked.isEmpty() && isServiceAccount(name)) {
      groups.add("system:serviceaccounts");
      groups.add("system:serviceaccounts:" + account[2]);
    }
    boolean anonymous = name.equals(User.ANONYMOUS.name());
    boolean said =
        groups.contains(User.UNAUTHENTICATED)
            || (!anonymous && groups.contains(User.AUTHENTICATED));
    if (!said) {
      groups.add(anonymous ? User.UNAUTHENTICATED : User.AUTHENTICATED);
    }
    return groups;
  }

  private static boolean isServiceAccount(String name) {
    return name.startsWith("system:serviceaccount:") && name.split(":", -1).length == 4;
  }

  /** The right that a request as this user needs, beside those of the user itself. */
  static String verb(User wanted, String verb) {
    String mode =
        isServiceAccount(wanted.name())
            ? "serviceaccount"
            : wanted.name().startsWith("system:node:") ? "arbitrary-node" : "user-info";
    return "impersonate-on:%s:%s".formatted(mode, verb);
  }

  /** As Go prints a list of texts. */
  private static String shown(List<String> texts) {
    return texts.isEmpty()
        ? "[]string(nil)"
        : texts.stream()
            .map(text -> '"' + text + '"')
            .collect(Collectors.joining(", ", "[]string{", "}"));
  }

  private static String shown(Map<String, List<String>> extra) {
    return extra.isEmpty()
        ? "map[string][]string(nil)"
        : extra.entrySet().stream()
            .map(entry -> "\"%s\":%s".formatted(entry.getKey(), shown(entry.getValue())))
            .collect(Collectors.joining(", ", "map[string][]string{", "}"));
  }
}
