package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;

/**
 * Who sends a request.
 *
 * @param uid empty for who is no object
 */
record User(String name, String uid, List<String> groups) {
  /** The group of those whom nothing is refused. */
  private static final String ADMINISTRATORS = "system:masters";

  private static final String AUTHENTICATED = "system:authenticated";

  /** Whoever has one of the server's own tokens. */
  static final User ADMINISTRATOR = new User("vertlet", "", List.of(ADMINISTRATORS, AUTHENTICATED));

  static final User ANONYMOUS = new User("system:anonymous", "", List.of("system:unauthenticated"));

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
    return info;
  }
}
