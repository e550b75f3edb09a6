package dev.vertlet.configsync.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.configsync.Sources;
import dev.vertlet.configsync.source.DeclaredSource.AllNil;
import dev.vertlet.configsync.source.DeclaredSource.Invalid;
import dev.vertlet.configsync.source.DeclaredSource.None;
import dev.vertlet.configsync.source.DeclaredSource.Undecodable;
import dev.vertlet.configsync.source.DeclaredSource.Wanted;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredSourcesTest {
  private static final String AT = "metadata.annotations[vertlet.dev/config-source]";
  private static final String GOOD =
      """
      {"configMap":{"namespace":"kube-system","name":"c1","kubeletConfigKey":"kubelet"}}\
      """;

  @Test
  void anAnnotationNamesAKeyOfAConfigMap() {
    DeclaredSource declared = Sources.annotated(GOOD);

    assertThat(declared).isEqualTo(new Wanted(Channel.ANNOTATION, Sources.source("c1")));
    assertThat(Sources.source("c1").apiPath())
        .isEqualTo("/api/v1/namespaces/kube-system/configmaps/c1");
  }

  @Test
  void withoutAnnotationTheNativeFieldCounts() throws IOException {
    JsonNode field = json(GOOD);

    assertThat(Sources.READER.read(null, field))
        .isEqualTo(new Wanted(Channel.NATIVE, Sources.source("c1")));
    assertThat(Sources.READER.read("", field)).isInstanceOf(Wanted.class);
    assertThat(Sources.READER.read(null, null)).isEqualTo(new None(Channel.NONE));
    assertThat(Sources.READER.read(null, json("null"))).isEqualTo(new None(Channel.NONE));
  }

  @Test
  @Tag("A39")
  @Tag("A40")
  @Tag("A41")
  void theAnnotationGoesBeforeTheNativeField() throws IOException {
    JsonNode leftover = json(GOOD.replace("c1", "c0"));

    assertThat(Sources.READER.read("null", leftover)).isEqualTo(new None(Channel.ANNOTATION));
    assertThat(Sources.READER.read(null, leftover))
        .isEqualTo(new Wanted(Channel.NATIVE, Sources.source("c0")));
    assertThat(Sources.READER.read(GOOD, leftover))
        .isEqualTo(new Wanted(Channel.ANNOTATION, Sources.source("c1")));
  }

  @Test
  void aBadAnnotationIsNoReasonToUseTheNativeField() throws IOException {
    assertThat(Sources.READER.read("{", json(GOOD))).isInstanceOf(Undecodable.class);
    assertThat(Sources.READER.read(" ", json(GOOD))).isInstanceOf(Undecodable.class);
    assertThat(Sources.READER.read("{}", json(GOOD))).isEqualTo(new AllNil(Channel.ANNOTATION));
  }

  /** V1, A33: also a subfield that a newer API may know. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"secret\":{\"name\":\"x\"}}", "{\"configMap\":null}"})
  @Tag("A33")
  void aSourceWithoutAKnownSubfieldIsNone(String text) {
    assertThat(Sources.annotated(text)).isEqualTo(new AllNil(Channel.ANNOTATION));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "V2 | {'namespace':'','name':'n','kubeletConfigKey':'k'}"
            + " | .namespace: Required value: namespace must be set",
        "V3 | {'namespace':'kube-system','kubeletConfigKey':'k'}"
            + " | .name: Required value: name must be set",
        "V4 | {'namespace':'kube-system','name':'n','kubeletConfigKey':null}"
            + " | .kubeletConfigKey: Required value: kubeletConfigKey must be set",
        "V5 | {'namespace':'../baz','name':'n','kubeletConfigKey':'k'} | .namespace: Invalid value:"
            + " \"../baz\": a lowercase RFC 1123 label must consist of",
        "V6 | {'namespace':'kube-system','name':'../bar','kubeletConfigKey':'k'}"
            + " | .name: Invalid value: \"../bar\": a lowercase RFC 1123 subdomain must consist of",
        "V7 | {'namespace':'kube-system','name':'n','kubeletConfigKey':'../qux'}"
            + " | .kubeletConfigKey: Invalid value: \"../qux\": a valid config key must consist of",
        "V7 | {'namespace':'kube-system','name':'n','kubeletConfigKey':'..'}"
            + " | .kubeletConfigKey: Invalid value: \"..\": must not be '..'",
        "V7 | {'namespace':'kube-system','name':'n','kubeletConfigKey':'..qux'}"
            + " | .kubeletConfigKey: Invalid value: \"..qux\": must not start with '..'",
        "V8 | {'namespace':'kube-system','name':'n','kubeletConfigKey':'k','uid':'1'}"
            + " | .uid: Forbidden: uid must not be set in spec",
        "V9 | {'namespace':'kube-system','name':'n','kubeletConfigKey':'k','resourceVersion':'1'}"
            + " | .resourceVersion: Forbidden: resourceVersion must not be set in spec",
        "V12 A37 | {'namespace':'secret-ns','name':'n','kubeletConfigKey':'k'}"
            + " | .namespace: Forbidden: not one of configSync.allowedNamespaces",
      })
  @Tag("A35")
  @Tag("A37")
  void aSourceThatBreaksARuleSaysWhich(String id, String configMap, String problem) {
    DeclaredSource declared =
        Sources.annotated("{'configMap':%s}".formatted(configMap).replace('\'', '"'));

    assertThat(declared)
        .isInstanceOfSatisfying(
            Invalid.class,
            invalid ->
                assertThat(invalid.problems())
                    .as(id)
                    .singleElement()
                    .asString()
                    .startsWith(AT + ".configMap" + problem));
  }

  @Test
  void eachBrokenRuleIsNamed() {
    assertThat(Sources.annotated("{\"configMap\":{}}"))
        .isEqualTo(
            new Invalid(
                Channel.ANNOTATION,
                java.util.List.of(
                    AT + ".configMap.namespace: Required value: namespace must be set",
                    AT + ".configMap.name: Required value: name must be set",
                    AT
                        + ".configMap.kubeletConfigKey: Required value: kubeletConfigKey must be"
                        + " set")));
  }

  @Test
  void theNativeFieldHasItsOwnPath() throws IOException {
    assertThat(Sources.READER.read(null, json(GOOD.replace("c1", "../x"))))
        .isInstanceOfSatisfying(
            Invalid.class,
            invalid ->
                assertThat(invalid.problems().get(0))
                    .startsWith("spec.configSource.configMap.name: Invalid value: \"../x\": "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'configMap': | : is no JSON",
        "nul | : is no JSON",
        "{} {} | : is no JSON",
        "[] | : must be an object",
        "'x' | : must be an object",
        "{'configMap':7} | .configMap: must be an object",
        "{'configMap':{'name':7}} | .configMap.name: must be a string",
      })
  void whatIsNoSourceAtAllIsNotQuoted(String text, String problem) {
    assertThat(Sources.annotated(text.replace('\'', '"')))
        .isEqualTo(new Undecodable(Channel.ANNOTATION, AT + problem));
  }

  @Test
  void severalNamespacesMayBeAllowed() {
    DeclaredSources reader = new DeclaredSources(Set.of("a", "kube-system"));

    assertThat(reader.read(GOOD.replace("kube-system", "a"), null)).isInstanceOf(Wanted.class);
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }
}
