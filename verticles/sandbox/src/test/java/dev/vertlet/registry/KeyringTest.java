package dev.vertlet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.ImageReference;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyringTest {
  private static final String CONFIG =
      """
      {"auths": {
        "https://index.docker.io/v1/": {"auth": "aHViOnAx"},
        "example.com": {"username": "all", "password": "p"},
        "example.com/team": {"username": "team", "password": "p"},
        "*.example.com": {"username": "star", "password": "p"},
        "broken.example.com": {"auth": "???"},
        "empty.org": {}
      }}
      """;

  private static List<String> users(String image) {
    return new Keyring()
        .add(CONFIG).logins(ImageReference.parse(image)).stream().map(Login::user).toList();
  }

  @Test
  void theLongestPlaceComesFirst() {
    assertThat(users("ubuntu")).containsExactly("hub");
    assertThat(users("example.com/other/x:1")).containsExactly("all");
    assertThat(users("example.com/team/x:1")).containsExactly("team", "all");
    assertThat(users("example.com/teams/x:1")).as("no part of a name").containsExactly("all");
    assertThat(users("a.example.com/x")).containsExactly("star");
    assertThat(users("a.b.example.com/x")).as("one label").containsExactly("");
    assertThat(users("empty.org/x")).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"auths\": 1}", "{\"a\": {\"auth\": \"bm9jb2xvbg==\"}}"})
  void whatIsMalformedIsLeftOut(String json) {
    assertThat(new Keyring().add(json).logins(ImageReference.parse("a/b")))
        .containsExactly(Login.ANONYMOUS);
  }

  @Test
  void challengesAreUnderstood() {
    Challenge bearer =
        Challenge.parse("Bearer realm=\"https://a/t\", service=reg,scope=\"x \\\"y\\\"\"")
            .orElseThrow();
    assertThat(bearer.parameter("service")).isEqualTo("reg");
    assertThat(bearer.parameter("scope")).isEqualTo("x \"y\"");
    assertThat(Challenge.parse("basic realm=x").orElseThrow().isBasic()).isTrue();
    assertThat(Challenge.parse(null)).isEmpty();
    assertThat(Challenge.parse("Bearer service=x")).isEmpty();
    assertThat(Challenge.parse("Negotiate")).isEmpty();
  }

  @Test
  void manifestsAreUnderstood() {
    Manifest index =
        Manifest.parse(
            Buffer.buffer(
                """
                {"manifests": [
                  {"digest": "sha256:a", "platform": {"architecture": "amd64"}},
                  {"digest": "sha256:b", "platform": {"architecture": "unknown"}},
                  {"platform": {"architecture": "arm64"}}]}
                """));
    assertThat(index.children()).as("no attestations").containsExactly("sha256:a");
    assertThat(index.config()).isEmpty();
    JsonArray many = new JsonArray();
    for (int i = 0; i < 20; i++) {
      many.add(new JsonObject().put("digest", "sha256:" + i));
    }
    assertThat(Manifest.parse(new JsonObject().put("manifests", many).toBuffer()).children())
        .hasSize(16);
    assertThatThrownBy(() -> Manifest.parse(Buffer.buffer("<html>")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the manifest is no JSON");
  }

  @Test
  void passwordsAreNotTold() {
    assertThat(new Login("", "token").isAnonymous()).isFalse();
    assertThat(new Login("me", "").isAnonymous()).isFalse();
    assertThat(new Login("me", "secret")).asString().doesNotContain("secret");
  }
}
