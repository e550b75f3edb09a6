package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.TaintView;
import dev.vertlet.plugins.ProviderJar;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvidersConfigTest {
  @TempDir private Path dir;

  private String config(String nodes, String settings) {
    return new JsonObject()
        .put("nodes", new io.vertx.core.json.JsonArray(nodes))
        .put(
            "providers",
            new JsonObject()
                .put("directory", dir.toString())
                .put("settings", new JsonObject(settings)))
        .encode();
  }

  private void jar(String check) {
    ProviderJar.of(
            "\"example\"",
            "ProviderFactory.SPI_VERSION",
            "@Override public void check(ProviderSettings settings) { " + check + " }")
        .write(dir.resolve("example.jar"));
  }

  @Test
  void aNodeRunsOnAProviderOfAJarWithItsOwnSettings() {
    jar("settings.only(\"size\");");

    VertletConfig config =
        TestConfig.load(
            config(
                "[{\"name\": \"a\", \"provider\": \"example\"}]", "{\"example\": {\"size\": 3}}"));

    assertThat(config.nodes()).singleElement().extracting("provider").isEqualTo("example");
    assertThat(config.nodeSpecs().get(0).taints())
        .containsExactly(new TaintView("virtual-kubelet.io/provider", "example", "NoSchedule"));
    assertThat(config.providers().of("example").number("size", 0, 0, 9)).isEqualTo(3);
    assertThat(config.providers().of("other"))
        .isEqualTo(dev.vertlet.provider.ProviderSettings.NONE);
  }

  @Test
  void aRefusedSettingIsNamedWithPointerValueAndWhatIsAllowed() {
    jar("settings.section(\"pool\").number(\"size\", 1, 1, 10);");

    assertThat(TestConfig.mistakes(config("[{}]", "{\"example\": {\"pool\": {\"size\": 99}}}")))
        .containsExactly(
            "/providers/settings/example/pool/size: 99 must be a whole number from 1 to 10");
  }

  @Test
  void aProviderThatANodeNamesJudgesThatItHasNoSettings() {
    jar("settings.text(\"endpoint\");");

    assertThat(TestConfig.mistakes(config("[{\"provider\": \"example\"}]", "{}")))
        .containsExactly("/providers/settings/example/endpoint: is missing; must be a text");
    assertThat(TestConfig.load(config("[{}]", "{}")).nodes()).hasSize(1);
  }

  @Test
  void aProviderThatCannotJudgeIsOneLine() {
    jar("throw new IllegalStateException(\"broken\");");

    assertThat(TestConfig.mistakes(config("[{}]", "{\"example\": {}}")))
        .containsExactly(
            "/providers/settings/example: {} cannot be judged, the provider failed:"
                + " java.lang.IllegalStateException: broken");
  }

  @Test
  void settingsOfAProviderThatIsNotThereAreRefused() {
    jar("");

    assertThat(TestConfig.mistakes(config("[{}]", "{\"exampel\": {\"a\": 1}}")))
        .containsExactly(
            "/providers/settings/exampel: {\"a\":1} is for a provider that was not loaded; there are"
                + " cri, example, process, remote, stages");
  }

  @Test
  void aNodesUnknownProviderIsToldWhatThereIs() {
    jar("");

    assertThat(TestConfig.mistakes(config("[{\"provider\": \"other\"}]", "{}")))
        .containsExactly(
            "/nodes/0/provider: \"other\" is not a provider; available: simulated, cri, example, process,"
                + " remote, stages");
  }

  @Test
  void whatIsWrongWithTheDirectoryIsToldOfItsKey() {
    assertThat(TestConfig.mistakes("{\"providers\": {\"directory\": \"/nowhere/at/all\"}}"))
        .containsExactly(
            "/providers/directory: \"/nowhere/at/all\" must be a directory of provider jars; there is"
                + " none at this path");
  }

  @Test
  void theSchemaAndTheProviderRefuseSettingsOfRemote() {
    String nodes = "[{\"provider\": \"remote\"}]";

    assertThat(
            TestConfig.mistakes(
                config(
                    nodes,
                    "{\"remote\": {\"url\": \"http://127.0.0.1:1\", \"levl\": \"x\","
                        + " \"dialect\": \"y\", \"pageSize\": 0, \"tls\": {\"caFile\": 1}}}")))
        .containsExactlyInAnyOrder(
            "/providers/settings/remote/levl: unknown key; did you mean \"level\"?",
            "/providers/settings/remote/dialect: \"y\" must be one of \"vertlet\", \"interlink\"",
            "/providers/settings/remote/pageSize: 0 must be a whole number from 1 to 100000",
            "/providers/settings/remote/tls/caFile: 1 must be a text");
    assertThat(
            TestConfig.mistakes(
                config(nodes, "{\"remote\": {\"url\": \"https://b\", \"callTimeout\": \"2h\"}}")))
        .containsExactly(
            "/providers/settings/remote/callTimeout: \"2h\" must be a duration from \"100ms\" to"
                + " \"1m50s\"");
    assertThat(TestConfig.mistakes(config(nodes, "{\"remote\": {}}")))
        .containsExactly(
            "/providers/settings/remote/url: is missing; must be an http:// or https:// URL with a"
                + " host");
  }

  @Test
  void theSchemaAndTheProviderRefuseSettingsOfProcess() {
    assertThat(
            TestConfig.mistakes(
                config(
                    "[{\"provider\": \"process\"}]",
                    "{\"process\": {\"alowRoot\": true, \"mounts\": \"all\", \"user\": -1,"
                        + " \"images\": [{\"pattern\": \"*\"}]}}")))
        .containsExactlyInAnyOrder(
            "/providers/settings/process/alowRoot: unknown key; did you mean \"allowRoot\"?",
            "/providers/settings/process/mounts: \"all\" must be one of \"auto\", \"links\"",
            "/providers/settings/process/user: -1 must be a whole number from 0 to 4294967294",
            "/providers/settings/process/images/0/root: is missing; must be \"host\" or an absolute"
                + " path");
    assertThat(
            TestConfig.mistakes(
                config("[{\"provider\": \"process\"}]", "{\"process\": {\"podPidsLimit\": 0}}")))
        .containsExactly(
            "/providers/settings/process/podPidsLimit: 0 must be -1 for no limit, or from 1 to 4194304");
  }

  @Test
  void settingsThatAreNoObjectAreRefused() {
    assertThat(TestConfig.mistakes("{\"providers\": {\"settings\": {\"x\": 1}}}"))
        .containsExactly(
            "/providers/settings/x: 1 must be an object that the provider of this name understands");
  }
}
