package dev.vertlet.content;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.reference.DataView;
import dev.vertlet.provider.content.RegistryCredential;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Credentials of images, beside the rules of a kubelet's keyring. */
class PullSecretsTest {
  private static DataView secret(String type, String key, String json) {
    return new DataView("ns", "s", "u", 1, false, Map.of(key, json), Set.of(), type, Map.of());
  }

  private static DataView config(String... registriesAndUsers) {
    JsonObject auths = new JsonObject();
    for (int i = 0; i < registriesAndUsers.length; i += 2) {
      auths.put(
          registriesAndUsers[i],
          new JsonObject().put("username", registriesAndUsers[i + 1]).put("password", "p"));
    }
    return secret(
        "kubernetes.io/dockerconfigjson",
        ".dockerconfigjson",
        new JsonObject().put("auths", auths).encode());
  }

  private static List<String> users(String image, DataView... secrets) {
    return PullSecrets.of(image, List.of(secrets)).stream()
        .map(RegistryCredential::username)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "quay.io, quay.io/a/b, true",
    "https://quay.io, quay.io/a/b:tag, true",
    "http://quay.io/v2/, quay.io/a/b, true",
    "quay.io/a, quay.io/a/b, true",
    "quay.io/c, quay.io/a/b, false",
    "quay.io, sub.quay.io/a, false",
    "*.quay.io, sub.quay.io/a, true",
    "*.quay.io, a.sub.quay.io/a, false",
    "reg:5000, reg:5000/a, true",
    "reg:5000, reg:5001/a, false",
    "https://index.docker.io/v1/, nginx, true",
    "https://index.docker.io/v1/, docker.io/library/nginx:1, true",
    "index.docker.io, quay.io/nginx, false",
    "docker.io, nginx, true",
    "'bad key', nginx, false"
  })
  void aCredentialMatchesHostPortAndPath(String registry, String image, boolean matches) {
    assertThat(users(image, config(registry, "me"))).isEqualTo(matches ? List.of("me") : List.of());
  }

  @Test
  void theLongestMatchComesFirstAndThenTheOrderOfTheSecrets() {
    assertThat(
            users(
                "quay.io/a/b",
                config("quay.io", "host", "quay.io/a", "path"),
                config("quay.io/a/b", "image", "quay.io", "second")))
        .containsExactly("image", "path", "host", "second");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theAuthFieldHoldsUserAndPassword(boolean padded) {
    Base64.Encoder encoder = padded ? Base64.getEncoder() : Base64.getEncoder().withoutPadding();
    String auth = encoder.encodeToString("me:pass:word".getBytes(UTF_8));
    DataView legacy =
        secret(
            "kubernetes.io/dockercfg",
            ".dockercfg",
            "{\"quay.io\": {\"auth\": \"%s\", \"username\": \"x\"}}".formatted(auth));

    assertThat(PullSecrets.of("quay.io/a", List.of(legacy)))
        .containsExactly(new RegistryCredential("quay.io", "me", "pass:word"));
  }

  @Test
  void secretsOfOtherTypesAreIgnored() {
    assertThat(users("quay.io/a", secret("Opaque", ".dockerconfigjson", "{}"))).isEmpty();
  }

  @Test
  void aBrokenSecretIsNamedWithoutItsContent() {
    DataView broken = secret("kubernetes.io/dockerconfigjson", ".dockerconfigjson", "{\"hush");

    assertThatThrownBy(() -> users("quay.io/a", broken))
        .hasMessage("secret ns/s is no valid docker config");
    DataView noPassword =
        secret("kubernetes.io/dockercfg", ".dockercfg", "{\"quay.io\": {\"auth\": \"aHVzaA==\"}}");
    assertThatThrownBy(() -> users("quay.io/a", noPassword))
        .hasMessage(
            "secret ns/s: unable to parse auth field, must be formatted as"
                + " base64(username:password)");
  }

  @Test
  void noTextShowsThePassword() {
    assertThat(new RegistryCredential("quay.io", "me", "hush").toString()).doesNotContain("hush");
  }
}
