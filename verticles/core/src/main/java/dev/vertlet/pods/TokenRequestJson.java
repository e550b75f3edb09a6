package dev.vertlet.pods;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.ServiceAccountToken;
import dev.vertlet.provider.pod.TokenRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** {@code authentication.k8s.io/v1.TokenRequest} as JSON. */
final class TokenRequestJson {
  private TokenRequestJson() {}

  static Buffer body(TokenRequest request) {
    PodRef pod = request.pod();
    JsonObject spec =
        new JsonObject()
            .put("expirationSeconds", request.expirationSeconds())
            .put(
                "boundObjectRef",
                new JsonObject()
                    .put("apiVersion", "v1")
                    .put("kind", "Pod")
                    .put("name", pod.name())
                    .put("uid", pod.uid()));
    if (!request.audience().isEmpty()) {
      spec.put("audiences", JsonArray.of(request.audience()));
    }
    return new JsonObject()
        .put("apiVersion", "authentication.k8s.io/v1")
        .put("kind", "TokenRequest")
        .put("spec", spec)
        .toBuffer();
  }

  static ServiceAccountToken token(Buffer answer) {
    JsonObject json = answer.toJsonObject();
    JsonObject status = json.getJsonObject("status", new JsonObject());
    JsonObject spec = json.getJsonObject("spec", new JsonObject());
    return new ServiceAccountToken(
        status.getString("token"),
        Instant.parse(status.getString("expirationTimestamp")),
        spec.getLong("expirationSeconds"));
  }

  static ProviderException notFound(TokenRequest request) {
    return new ProviderException(
        ProviderException.Kind.NOT_FOUND,
        "NotFound",
        "serviceaccounts \"" + request.serviceAccount() + "\" not found");
  }
}
