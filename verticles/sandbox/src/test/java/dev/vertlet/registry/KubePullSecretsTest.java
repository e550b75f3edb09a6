package dev.vertlet.registry;

import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ImageReference;
import dev.vertlet.sandbox.DigestResolver.Credentials;
import dev.vertlet.testing.FakeCluster;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KubePullSecretsTest {
  @AutoClose private final FakeCluster cluster = FakeCluster.start();

  private void secret(String name, String key, String content) {
    JsonObject data =
        new JsonObject().put(key, Base64.getEncoder().encodeToString(content.getBytes(UTF_8)));
    JsonObject secret =
        new JsonObject()
            .put("metadata", new JsonObject().put("name", name).put("namespace", "default"))
            .put("data", data);
    cluster.create("secrets", secret.encode());
  }

  private List<String> users(String... secrets) {
    Credentials credentials = new Credentials("default", List.of(secrets));
    return get(new KubePullSecrets(cluster.kube()).read(credentials))
        .logins(ImageReference.parse("a.example/app"))
        .stream()
        .map(Login::user)
        .toList();
  }

  @Test
  void bothFormsAreReadInTheirOrder() {
    secret("new", ".dockerconfigjson", "{\"auths\": {\"a.example\": {\"username\": \"one\"}}}");
    secret("old", ".dockercfg", "{\"a.example\": {\"username\": \"two\"}}");

    assertThat(users("new", "old")).containsExactly("one", "two");
    assertThat(users("old", "new")).containsExactly("two", "one");
  }

  @Test
  void whatIsMissingOrOfAnotherKindIsLeftOut() {
    secret("new", ".dockerconfigjson", "{\"auths\": {\"a.example\": {\"username\": \"one\"}}}");
    secret("opaque", "password", "secret");
    secret("broken", ".dockerconfigjson", "{");

    assertThat(users("absent", "opaque", "broken", "new")).containsExactly("one");
    assertThat(users("absent")).containsExactly("");
    assertThat(users()).containsExactly("");
  }

  @Test
  void oneThatMayNotBeReadIsLeftOut() {
    secret("new", ".dockerconfigjson", "{\"auths\": {\"a.example\": {\"username\": \"one\"}}}");
    cluster.faults().on("get", "secrets").named("new").respond(500, "InternalError");

    assertThat(users("new")).containsExactly("");
  }
}
