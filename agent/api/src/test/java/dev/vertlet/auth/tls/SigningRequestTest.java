package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.auth.tls.SigningRequest.State;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class SigningRequestTest {
  private static JsonObject condition(String type) {
    return new JsonObject().put("type", type).put("reason", "Why").put("message", "because");
  }

  private static State state(String certificate, String... types) {
    JsonArray conditions = new JsonArray();
    for (String type : types) {
      conditions.add(condition(type));
    }
    JsonObject status = new JsonObject().put("conditions", conditions);
    if (!certificate.isEmpty()) {
      status.put("certificate", Base64.getEncoder().encodeToString(certificate.getBytes(US_ASCII)));
    }
    return SigningRequest.state(new JsonObject().put("status", status));
  }

  @Test
  void waitsUntilItIsApprovedAndSigned() {
    assertThat(SigningRequest.state(new JsonObject())).isEqualTo(new State.Pending(false));
    assertThat(state("")).isEqualTo(new State.Pending(false));
    assertThat(state("", "Approved")).isEqualTo(new State.Pending(true));
    assertThat(state("pem")).isEqualTo(new State.Pending(false));
    assertThat(state("pem", "Approved")).isEqualTo(new State.Issued("pem"));
    assertThat(state("pem", "Approved", "OfSomebodyElse")).isEqualTo(new State.Issued("pem"));
  }

  @Test
  void aNoIsANoWhateverElseIsSaid() {
    assertThat(state("", "Denied")).isEqualTo(new State.Refused("Denied, reason Why: because"));
    assertThat(state("pem", "Approved", "Failed"))
        .isEqualTo(new State.Refused("Failed, reason Why: because"));
  }

  @Test
  void asksForTheUsagesOfAnEllipticKey() {
    JsonObject spec = SigningRequest.of("pem").getJsonObject("spec");

    assertThat(spec.getJsonArray("usages")).containsExactly("digital signature", "server auth");
    assertThat(new String(spec.getBinary("request"), US_ASCII)).isEqualTo("pem");
    assertThat(SigningRequest.path("csr-1").path())
        .isEqualTo("/apis/certificates.k8s.io/v1/certificatesigningrequests/csr-1");
  }
}
