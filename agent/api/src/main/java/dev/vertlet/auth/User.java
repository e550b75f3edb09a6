package dev.vertlet.auth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sender of a request, as Kubernetes describes users.
 *
 * @param uid empty when there is none
 * @param extra further values from the authenticator, by key
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  static final String ANONYMOUS = "system:anonymous";
  static final String UNAUTHENTICATED_GROUP = "system:unauthenticated";
  static final String AUTHENTICATED_GROUP = "system:authenticated";

  public User {
    groups = List.copyOf(groups);
    Map<String, List<String>> copy = new LinkedHashMap<>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = Map.copyOf(copy);
  }

  /** Returns the user of a request without credentials. */
  static User anonymous() {
    return new User(ANONYMOUS, "", List.of(UNAUTHENTICATED_GROUP), Map.of());
  }

  /** Adds the group of authenticated users, unless the groups contain it or its counterpart. */
  User authenticated() {
    if (name.equals(ANONYMOUS)
        || groups.contains(AUTHENTICATED_GROUP)
        || groups.contains(UNAUTHENTICATED_GROUP)) {
      return this;
    }
    List<String> more = new ArrayList<>(groups);
    more.add(AUTHENTICATED_GROUP);
    return new User(name, uid, more, extra);
  }
}
