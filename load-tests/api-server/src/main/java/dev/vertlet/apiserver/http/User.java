package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;
import java.util.Map;

/**
 * Who sends a request.
 *
 * @param uid empty for who is no object
 * @param extra whatever else is known, by key
 */
record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The group of those whom nothing is refused. */
  private static final String ADMINISTRATORS = "system:masters";

  static final String AUTHENTICATED = "system:authenticated";

  static final String UNAUTHENTICATED = "system:unauthenticated";

  /** Whoever has one of the server's own tokens. */
  static final User ADMINISTRATOR = new User("vertlet", "", List.of(ADMINISTRATORS, AUTHENTICATED));

  static final User ANONYMOUS = new User("system:anonymous", "", List.of(UNAUTHENTICATED));

  /** A user of whom nothing else is known. */
  User(String name, String uid, List<String> groups) {
    this(name, uid, groups, Map.of());
  }

  /** A ServiceAccount, by the names of {@code k8s.io/apiserver/pkg/authentication}. */
  static User serviceAccount(String namespace, String name, String uid) {
    return new User(
        "system:serviceaccount:" + namespace + ":" + name,
        uid,
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, AUTHENTICATED));
  }

  boolean administers() {
    return groups.contains(ADMINISTRATORS);
  }

  boolean known() {
    return groups.contains(AUTHENTICATED);
  }

  /** The same as {@code authentication.k8s.io/v1 UserInfo}. */
  ObjectNode info() {
    ObjectNode info = Json.object().put("username", name);
    if (!uid.isEmpty()) {
      info.put("uid", uid);
    }
    var array = info.putArray("groups");
    groups.forEach(array::add);
    if (!extra.isEmpty()) {
      ObjectNode more = info.putObject("extra");
      extra.forEach((key, values) -> values.forEach(more.withArray("/" + pointed(key))::add));
    }
    return info;
  }

  private static String pointed(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }
}
