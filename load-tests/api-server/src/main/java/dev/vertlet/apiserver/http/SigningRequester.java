package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;

/** Who asks for a certificate, which a request tells to those who decide on it. */
final class SigningRequester {
  private SigningRequester() {}

  /** Writes the sender into a new request, whatever the request says. */
  static void stamp(ObjectNode request, User sender) {
    ObjectNode spec = Json.child(request, "spec");
    spec.remove(List.of("username", "uid", "groups", "extra"));
    spec.setAll(sender.info());
  }
}
