package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.vertlet.kube.KubePath;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;

/** Builds the CertificateSigningRequest of a node's server and reads its state. */
final class SigningRequest {
  static final String SIGNER = "kubernetes.io/kubelet-serving";

  private static final String GROUP = "certificates.k8s.io";
  private static final String RESOURCE = "certificatesigningrequests";

  static final KubePath ALL = new KubePath("/apis/" + GROUP + "/v1/" + RESOURCE, RESOURCE, GROUP);

  private SigningRequest() {}

  static KubePath path(String name) {
    return new KubePath(ALL.path() + "/" + name, RESOURCE, GROUP);
  }

  /**
   * Builds the object. The usages are those of an elliptic curve key: the signer accepts exactly
   * these, or these with key encipherment.
   *
   * @param pem result of {@link CertificateMaker#request}
   */
  static JsonObject of(String pem) {
    return new JsonObject()
        .put("apiVersion", GROUP + "/v1")
        .put("kind", "CertificateSigningRequest")
        .put("metadata", new JsonObject().put("generateName", "csr-"))
        .put(
            "spec",
            new JsonObject()
                .put("signerName", SIGNER)
                .put("request", Base64.getEncoder().encodeToString(pem.getBytes(US_ASCII)))
                .put("usages", JsonArray.of("digital signature", "server auth")));
  }

  sealed interface State {
    /** Undecided or not signed yet. */
    record Pending(boolean approved) implements State {}

    /**
     * Signed.
     *
     * @param certificates certificates in PEM
     */
    record Issued(String certificates) implements State {}

    /**
     * Denied or failed.
     *
     * @param reason message of the approver or signer
     */
    record Refused(String reason) implements State {}
  }

  /**
   * Reads the state.
   *
   * @param object object from the API server
   */
  static State state(JsonObject object) {
    JsonObject status = object.getJsonObject("status", new JsonObject());
    JsonArray conditions = status.getJsonArray("conditions", new JsonArray());
    boolean approved = false;
    for (int i = 0; i < conditions.size(); i++) {
      JsonObject condition = conditions.getJsonObject(i);
      switch (condition.getString("type", "")) {
        case "Denied", "Failed" -> {
          return new State.Refused(
              "%s, reason %s: %s"
                  .formatted(
                      condition.getString("type"),
                      condition.getString("reason", ""),
                      condition.getString("message", "")));
        }
        case "Approved" -> approved = true;
        default -> {} // a signer's own condition
      }
    }
    byte[] certificate = status.getBinary("certificate", new byte[0]);
    return approved && certificate.length > 0
        ? new State.Issued(new String(certificate, US_ASCII))
        : new State.Pending(approved);
  }
}
