package dev.vertlet.configsync.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vertlet.configsync.source.ConfigMapSource;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.SerializedSource.CorruptException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SerializedSourceTest {
  static final ResolvedSource SOURCE =
      new ConfigMapSource("kube-system", "my-node-config-9mbkccg2cc", "kubelet")
          .at("705ab4f5-6393-11e8-b7cc-42010a800002", "1326");

  static final String TEXT =
      """
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: SerializedNodeConfigSource
      source:
        configMap:
          kubeletConfigKey: kubelet
          name: my-node-config-9mbkccg2cc
          namespace: kube-system
          resourceVersion: "1326"
          uid: 705ab4f5-6393-11e8-b7cc-42010a800002
      """;

  /** A02: as kubelets wrote it. */
  @Test
  @Tag("A02")
  void isWrittenByteForByteAsKubeletsDid() throws CorruptException {
    assertThat(new String(SerializedSource.encode(SOURCE), UTF_8)).isEqualTo(TEXT);
    assertThat(SerializedSource.decode(TEXT.getBytes(UTF_8))).hasValue(SOURCE);
  }

  @Test
  void noBytesAreTheLocalConfig() throws CorruptException {
    assertThat(SerializedSource.encode(null)).isEmpty();
    assertThat(SerializedSource.decode(new byte[0])).isEmpty();
  }

  @Test
  void readsJsonAndPassesOverUnknownFields() throws CorruptException {
    String json =
        """
        {"kind":"SerializedNodeConfigSource","apiVersion":"kubelet.config.k8s.io/v1beta1","new":[1],
         "source":{"configMap":{"namespace":"n","name":"c","kubeletConfigKey":"k","uid":"u",
         "resourceVersion":"1","more":{}},"other":1}}
        """;

    assertThat(SerializedSource.decode(json.getBytes(UTF_8)))
        .hasValue(new ConfigMapSource("n", "c", "k").at("u", "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "007",
        "1.5",
        "1e3",
        "0x1f",
        "0b1",
        "1_000",
        "2026-01-02",
        "true",
        "Yes",
        "off",
        "null",
        "y",
        "-",
        "-1",
        ".inf",
        "a.b-c",
        "7e5x",
        "12345678",
        "1.2.3",
        "a_b"
      })
  void whatYamlWouldTakeForSomethingElseIsQuoted(String key) throws CorruptException {
    ResolvedSource odd = new ConfigMapSource("n", "c", key).at("1:20", "a:");

    assertThat(SerializedSource.decode(SerializedSource.encode(odd))).hasValue(odd);
  }

  @Test
  void onlyWhatMustBeQuotedIs() {
    String text =
        new String(
            SerializedSource.encode(new ConfigMapSource("on", "c1", "true").at("7e5", "1:20")),
            UTF_8);

    assertThat(text)
        .contains("kubeletConfigKey: \"true\"\n", "name: c1\n", "namespace: \"on\"\n")
        .contains("resourceVersion: \"1:20\"\n", "uid: \"7e5\"\n");
  }

  /** V10 and V2 to V7 for what comes from a disk. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uid: 705ab4f5-6393-11e8-b7cc-42010a800002 | uid: '' | source.configMap.uid: Required"
            + " value: uid must be set in status",
        "resourceVersion: \"1326\" | x: y | source.configMap.resourceVersion: Required value:"
            + " resourceVersion must be set in status",
        "resourceVersion: \"1326\" | resourceVersion: 1326 | source.configMap.resourceVersion: must"
            + " be a string",
        "resourceVersion: \"1326\" | resourceVersion: ../.. | source.configMap: failed to write"
            + " RemoteConfigSource, ResourceVersion is no file name",
        "namespace: kube-system | namespace: ../baz | source.configMap.namespace: Invalid value",
        "kubeletConfigKey: kubelet | kubeletConfigKey: ../qux | source.configMap.kubeletConfigKey:"
            + " Invalid value",
        "kind: SerializedNodeConfigSource | kind: Pod | is no SerializedNodeConfigSource",
        "kubelet.config.k8s.io/v1beta1 | kubelet.config.k8s.io/v1 | is no"
            + " SerializedNodeConfigSource",
        "configMap: | secret: | source: has no configMap",
        "source: | source: [ | is neither YAML nor JSON",
      })
  void whatIsNoRecordIsCorrupt(String from, String to, String problem) {
    byte[] content = TEXT.replace(from, to).getBytes(UTF_8);

    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> SerializedSource.decode(content))
        .withMessageStartingWith(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "[]", "\u0001\u0002\u0003", "---\n---\n", "{", "a: &a [*a]", " "})
  void garbageIsCorrupt(String text) {
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> SerializedSource.decode(text.getBytes(UTF_8)));
  }

  @Test
  void noNestingIsDeepEnoughToBreakTheReader() {
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> SerializedSource.decode("[".repeat(4000).getBytes(UTF_8)));
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> SerializedSource.decode(TEXT.repeat(20).getBytes(UTF_8)));
  }

  /** V11. */
  @ParameterizedTest
  @ValueSource(strings = {".", "..", "a/b", "a\0", "a b", "ä", "tmp_1"})
  void whatIsNoFileNameIsNeverWritten(String name) {
    ConfigMapSource source = new ConfigMapSource("n", "c", "k");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> source.at(name, "1"))
        .withMessage("failed to write RemoteConfigSource, UID is no file name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> source.at("u", name))
        .withMessage("failed to write RemoteConfigSource, ResourceVersion is no file name");
  }

  /** V11: what is empty has the kubelet's words. */
  @Test
  void anEmptyUidOrVersionIsAmbiguous() {
    assertThat(ResolvedSource.unusable("", "1"))
        .hasValue("failed to write RemoteConfigSource, empty UID is ambiguous");
    assertThat(ResolvedSource.unusable("u", ""))
        .hasValue("failed to write RemoteConfigSource, empty ResourceVersion is ambiguous");
    assertThat(ResolvedSource.unusable("u".repeat(129), "1")).isPresent();
    assertThat(ResolvedSource.unusable("u".repeat(128), "1")).isEmpty();
  }
}
