package dev.vertlet.remote.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RemoteSettingsTest {
  private static RemoteSettings read(String json) {
    return RemoteSettings.read(ProviderSettings.of(new JsonObject(json)));
  }

  @Test
  void hasDefaultsForEverythingButTheUrl() {
    RemoteSettings settings = read("{\"url\": \"https://back.example.com\"}");

    assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.silence()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.environment()).isTrue();
    assertThat(settings.tokenFile()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|/url:  is missing; must be a text",
        "{\"url\": \"back\"}|/url: back must be an http:// or https:// URL with a host",
        "{\"url\": \"https://u:p@back\"}|/url: https://u:p@back must have no user, query or"
            + " fragment",
        "{\"url\": \"http://back:1\"}|/url: http://back:1 must be https://, as requests carry"
            + " secrets; http:// is for loopback, or with insecure: true",
        "{\"url\": \"https://b\", \"tls\": {\"certFile\": \"c\"}}|/tls/certFile: c must come with"
            + " the other file",
        "{\"url\": \"https://b\", \"ulr\": 1}|/ulr:  unknown key; known are callTimeout, content,"
            + " dialect, environment, heartbeat, insecure, level, maxAnswerBytes, pageSize,"
            + " pollInterval, resize, tls, tokenFile, url",
        "{\"url\": \"https://b\", \"level\": \"x\"}|/level: x must be pods or containers",
        "{\"url\": \"https://b\", \"environment\": false, \"content\": true}|/content: true must be"
            + " false without environment",
        "{\"url\": \"https://b\", \"callTimeout\": \"2h\"}|/callTimeout: 2h must be a duration from"
            + " \"100ms\" to \"1m50s\""
      })
  void refusesWhatIsNotAllowedByPointer(String json, String message) {
    assertThatThrownBy(() -> read(json)).hasMessage(message);
  }

  /** Keys of the schema of the configuration, with a dot between those of sections. */
  static Stream<String> keys() throws IOException {
    return Stream.concat(
        section("").fieldNames().stream(),
        section("tls").fieldNames().stream().map(key -> "tls." + key));
  }

  private static JsonObject section(String key) throws IOException {
    JsonObject schema =
        new JsonObject(Files.readString(Path.of("../../conf/vertlet.schema.json")))
            .getJsonObject("properties")
            .getJsonObject("providers")
            .getJsonObject("properties")
            .getJsonObject("settings")
            .getJsonObject("properties")
            .getJsonObject("remote");
    return (key.isEmpty() ? schema : schema.getJsonObject("properties").getJsonObject(key))
        .getJsonObject("properties");
  }

  private static JsonObject key(String path) throws IOException {
    return path.startsWith("tls.")
        ? section("tls").getJsonObject(path.substring(4))
        : section("").getJsonObject(path);
  }

  private static RemoteSettings with(String path, @Nullable Object value) {
    JsonObject json = new JsonObject().put("url", "https://b");
    JsonObject tls = new JsonObject();
    if (path.equals("tls.certFile") || path.equals("tls.keyFile")) {
      boolean none = value == null || value.equals("");
      tls.put("certFile", none ? "" : "c").put("keyFile", none ? "" : "k");
    }
    if (value != null && path.startsWith("tls.")) {
      tls.put(path.substring(4), value);
    } else if (value != null) {
      json.put(path, value);
    }
    return RemoteSettings.read(
        ProviderSettings.of(path.equals("tls") ? json : json.put("tls", tls)));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void theSchemaHasTheDefaultAndAnExampleThatIsAllowed(String path) throws IOException {
    JsonObject key = key(path);

    assertThat(key.getString("description")).isNotBlank();
    if (key.containsKey("default")) {
      assertThat(with(path, key.getValue("default"))).isEqualTo(with(path, null));
    }
    assertThat(with(path, key.getJsonArray("examples").getValue(0))).isNotEqualTo(with(path, null));
  }

  @Test
  void theSchemaHasAllKeys() throws IOException {
    Set<String> known = new TreeSet<>(section("").fieldNames());
    assertThatThrownBy(() -> read("{\"url\": \"https://b\", \"x\": 1}"))
        .hasMessageEndingWith("known are " + String.join(", ", known));
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8099,false",
    "http://[::1]:8099,false",
    "http://localhost,false",
    "http://back:1,true"
  })
  void allowsPlainHttpToLoopbackOrOnRequest(String url, boolean insecure) {
    JsonObject json = new JsonObject().put("url", url).put("insecure", insecure);

    assertThat(RemoteSettings.read(ProviderSettings.of(json)).secure()).isFalse();
  }

  @Test
  void addressesRequestsBelowThePathOfTheUrl() {
    RemoteSettings settings =
        read("{\"url\": \"https://back/api/\", \"tls\": {\"serverName\": \"other.example.com\"}}");

    RequestOptions options = settings.address(new RequestOptions(), "/v1/pods?limit=1");

    assertThat(options.getURI()).isEqualTo("/api/v1/pods?limit=1");
    assertThat(options.getPort()).isEqualTo(443);
    assertThat(options.getHost()).as("for the certificate").isEqualTo("other.example.com");
    assertThat(options.getServer()).hasToString("back:443");
  }
}
