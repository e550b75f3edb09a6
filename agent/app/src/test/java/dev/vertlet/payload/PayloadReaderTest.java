package dev.vertlet.payload;

import static dev.vertlet.payload.Locals.DIRECTORY;
import static dev.vertlet.payload.Locals.kubelet;
import static dev.vertlet.payload.Locals.vertlet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.payload.PayloadException.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadReaderTest {
  private static Map<String, Object> values(Payload payload) {
    Map<String, Object> values = new LinkedHashMap<>();
    payload.kubelet().forEach((field, value) -> values.put(field.name(), value));
    return values;
  }

  private static PayloadException refused(ThrowingCallable read) {
    PayloadException refused = catchThrowableOfType(PayloadException.class, read);
    assertThat(refused).as("refused").isNotNull();
    assertThat(refused.reason()).isEqualTo(Reason.LOAD);
    return refused;
  }

  private static PayloadException refusedText(String text) {
    return refused(() -> PayloadReader.read(text, DIRECTORY));
  }

  @Test
  void yamlAndJsonSayTheSame() {
    Payload yaml = kubelet("syncFrequency: 30s\nauthentication:\n  anonymous: {enabled: true}\n");
    Payload json =
        PayloadReader.read(
            """
            {"kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1",
             "authentication": {"anonymous": {"enabled": true}}, "syncFrequency": "30s"}""",
            DIRECTORY);

    assertThat(values(yaml))
        .isEqualTo(Map.of("syncFrequency", "30s", "authentication.anonymous.enabled", true));
    assertThat(values(json)).isEqualTo(values(yaml));
    assertThat(json.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "{0xdeadbeef}", "[]", "syncFrequency: 30s", "a: b: c", "---"})
  void whatIsNoObjectOfAKindIsRefused(String text) {
    refusedText(text);
  }

  @ParameterizedTest
  @CsvSource({
    "v1, Pod",
    "kubelet.config.k8s.io/v1alpha1, KubeletConfiguration",
    "kubelet.config.k8s.io/v1beta1, VertletConfiguration",
    "vertlet.dev/v1, VertletConfiguration"
  })
  @Tag("A19")
  void otherKindsAreRefusedByName(String apiVersion, String kind) {
    String text = "apiVersion: " + apiVersion + "\nkind: " + kind + "\n";

    assertThat(refusedText(text))
        .hasMessage(
            "is %s, Kind=%s; must be kubelet.config.k8s.io/v1beta1, Kind=KubeletConfiguration, or vertlet.dev/v1alpha1, Kind=VertletConfiguration"
                .formatted(apiVersion, kind));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "syncFrequency: soon | /syncFrequency: must be a duration such as \"10s\" or \"1m30s\"",
        "syncFrequency: 30 | /syncFrequency: must be a duration such as \"10s\" or \"1m30s\"",
        "maxPods: '50' | /maxPods: must be a whole number of 32 bits",
        "maxPods: 1.5 | /maxPods: must be a whole number of 32 bits",
        "port: 4294967296 | /port: must be a whole number of 32 bits",
        "enableServer: 'yes' | /enableServer: must be true or false",
        "clusterDNS: 10.0.0.10 | /clusterDNS: must be a list of texts",
        "evictionHard: {memory.available: 100} | /evictionHard: must be an object of texts",
        "featureGates: {A: 'true'} | /featureGates: must be an object of true and false",
        "authentication: {anonymous: true} | /authentication/anonymous: must be an object"
      })
  void wrongTypesAreRefusedWithTheirPlaces(String field, String problem) {
    assertThat(refused(() -> kubelet(field + "\n"))).hasMessage(problem);
  }

  @Test
  void everyProblemIsTold() {
    PayloadException refused = refused(() -> kubelet("maxPods: x\nport: y\n"));

    assertThat(Locals.lines(refused)).hasSize(2);
  }

  @Test
  @Tag("A20")
  void aKubeletConfigurationMayHoldWhatNobodyKnows() {
    Payload payload =
        kubelet("syncFrequency: 30s\nsyncFrequencyy: 1s\nauthorization: {mood: good}\n");

    assertThat(values(payload)).isEqualTo(Map.of("syncFrequency", "30s"));
    assertThat(payload.warnings())
        .containsExactly("/syncFrequencyy: unknown field", "/authorization/mood: unknown field");
  }

  @Test
  void ofEqualKeysTheLastOneCountsForAKubelet() {
    Payload payload = kubelet("maxPods: 5\nmaxPods: 7\n");

    assertThat(values(payload)).isEqualTo(Map.of("maxPods", 7));
    assertThat(payload.warnings()).singleElement().asString().contains("equal keys", "maxPods");
  }

  @Test
  void whatGoCannotTellFromItsAbsenceIsAbsent() {
    Payload payload =
        kubelet(
            """
            syncFrequency: 0s
            maxPods: 0
            clusterDomain: ""
            clusterDNS: []
            address: null
            healthzPort: 0
            kubeAPIQPS: 0
            evictionHard: {}
            enableServer: false
            """);

    assertThat(values(payload).keySet())
        .containsExactlyInAnyOrder("enableServer", "healthzPort", "kubeAPIQPS", "evictionHard");
  }

  @Test
  void relativeFilesAreBesideThePayload() {
    Payload payload =
        kubelet("tlsCertFile: tls.crt\ntlsPrivateKeyFile: /etc/tls.key\nstaticPodPath: pods\n");

    assertThat(values(payload))
        .isEqualTo(
            Map.of(
                "tlsCertFile", DIRECTORY + "/tls.crt",
                "tlsPrivateKeyFile", "/etc/tls.key",
                "staticPodPath", DIRECTORY + "/pods"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodes: [] | /nodes: unknown key; must be one of kubelet, node, provider, agent",
        "kubelet: {podz: 1} | /kubelet/podz: unknown field",
        "kubelet: 1 | /kubelet: must be an object",
        "node: {name: other} | /node/name: unknown key; must be one of labels, annotations, taints, capacity, addresses, operatingSystem, architecture",
        "provider: {kubernetes: {}} | /provider/kubernetes: unknown key; must be one of simulated, settings",
        "agent: {dataDir: /} | /agent/dataDir: unknown key; must be one of profile, shards, shutdownTimeout, drainOnShutdown, containerLogsDir"
      })
  void aVertletConfigurationIsReadStrictly(String yaml, String problem) {
    assertThat(refused(() -> vertlet(yaml + "\n"))).hasMessage(problem);
  }

  @Test
  void ofEqualKeysAVertletConfigurationIsRefused() {
    refused(() -> vertlet("kubelet: {maxPods: 5}\nkubelet: {maxPods: 7}\n"));
  }
}
