package dev.vertlet.apiserver.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldCheckTest {
  private static final Shape POD = Schemas.standard().find("v1", "Pod").orElseThrow();

  private static ObjectNode pod(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  @Test
  void knowsTheFieldsOfInlinedMessages() {
    ObjectNode pod =
        pod(
            "{'kind':'Pod','apiVersion':'v1','spec':{'volumes':[{'name':'v','emptyDir':{}}],'containers':["
                + "{'livenessProbe':{'httpGet':{'port':'x'}},'env':[{'valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}]}]}}");
    ObjectNode before = pod.deepCopy();

    assertThat(FieldCheck.prune(POD, pod)).isEmpty();

    assertThat(pod).isEqualTo(before);
  }

  @Test
  void prunesAtAnyDepthAndNamesThePath() {
    ObjectNode pod =
        pod(
            "{'foo':1,'metadata':{'labels':{'any':'thing'},'bar':{}},'spec':{'volumes':[{},{'volumeSource':{}}]}}");

    assertThat(FieldCheck.prune(POD, pod))
        .containsExactly("foo", "metadata.bar", "spec.volumes[1].volumeSource");

    assertThat(pod)
        .isEqualTo(pod("{'metadata':{'labels':{'any':'thing'}},'spec':{'volumes':[{},{}]}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'spec':{'containers':{}}} | json: cannot unmarshal object into Go struct field"
            + " PodSpec.spec.containers of type []v1.Container",
        "{'spec':{'priority':1.5}} | json: cannot unmarshal number 1.5 into Go struct field"
            + " PodSpec.spec.priority of type int32",
        "{'spec':{'priority':99999999999}} | json: cannot unmarshal number 99999999999 into Go"
            + " struct field PodSpec.spec.priority of type int32",
        "{'metadata':{'labels':['a']}} | json: cannot unmarshal array into Go struct field"
            + " ObjectMeta.metadata.labels of type map[string]string",
        "{'metadata':{'deletionTimestamp':'yesterday'}} | parsing time \"yesterday\" as"
            + " \"2006-01-02T15:04:05Z07:00\": cannot parse \"yesterday\" as \"2006\"",
        "{'metadata':{'deletionTimestamp':'2026-13-01T00:00:00Z'}} | parsing time"
            + " \"2026-13-01T00:00:00Z\": month out of range",
        "{'metadata':{'deletionTimestamp':'2026-02-30T00:00:00Z'}} | parsing time"
            + " \"2026-02-30T00:00:00Z\": day out of range",
        "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00'}} | parsing time"
            + " \"2026-01-01T00:00:00\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"\" as"
            + " \"Z07:00\"",
        "{'spec':{'overhead':{'cpu':'1mm'}}} | unable to parse quantity's suffix"
      })
  void refusesValuesOfTheWrongType(String json, String message) {
    assertThatThrownBy(() -> FieldCheck.prune(POD, pod(json))).hasMessage(message);
  }

  @Test
  void findsRepeatedFieldsWhereverTheyAre() throws Exception {
    String json = "{\"a\":{\"b\":1,\"b\":2},\"c\":[{\"d\":1},{\"d\":1,\"d\":{\"d\":1}}],\"a\":3}";

    assertThat(DuplicateFields.find(json.getBytes(UTF_8))).containsExactly("a.b", "c[1].d", "a");
  }
}
