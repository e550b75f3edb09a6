package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.MountsView.Mount;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volume mounts of containers and of their statuses, in both encodings. */
class MountsTest {
  private static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

  private static final String POD =
      """
      {"kind":"Pod","metadata":{"name":"p","namespace":"ns","uid":"u","resourceVersion":"7"},
       "spec":{"containers":[{"name":"c","image":"i","volumeMounts":[
         {"name":"data","mountPath":"/data"},
         {"name":"ro","mountPath":"/ro","readOnly":true},
         {"name":"all","mountPath":"/all","readOnly":true,"recursiveReadOnly":"IfPossible"},
         {"name":"kube-api-access-0b2x9","mountPath":"%s","readOnly":true}]}]},
       "status":{"containerStatuses":[{"name":"c","image":"i","imageID":"","volumeMounts":[
         {"name":"data","mountPath":"/data"},
         {"name":"ro","mountPath":"/ro","readOnly":true,"recursiveReadOnly":"Disabled"},
         {"name":"all","mountPath":"/all","readOnly":true,"recursiveReadOnly":"Enabled"},
         {"name":"kube-api-access-0b2x9","mountPath":"%s","readOnly":true,
          "recursiveReadOnly":"Disabled"}]}]}}
      """
          .formatted(TOKEN_PATH, TOKEN_PATH);

  private static final MountsView MOUNTS =
      new MountsView(
          "c",
          List.of(
              new Mount("data", "/data", false, false),
              new Mount("ro", "/ro", true, false),
              new Mount("all", "/all", true, true),
              new Mount("kube-api-access-", TOKEN_PATH, true, false)));

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsWhatContainersMountAndWhatTheirStatusesTellOfIt(String contentType) {
    PodView pod = pod(contentType);

    assertThat(pod.spec().containers().get(0).mounts()).isEqualTo(MOUNTS);
    assertThat(pod.status().containerStatuses().get(0).mounts()).isEqualTo(MOUNTS);
    assertThat(pod.tokenVolume()).isNotZero().isEqualTo(pod.status().tokenVolume());
  }

  @Test
  void podsOfOneTemplateShareTheirMounts() {
    PodDecoder decoder = new PodDecoder();
    PodView one = decoder.decode(Buffer.buffer(POD));
    PodView other = decoder.decode(Buffer.buffer(POD.replace("-0b2x9", "-zzzzz")));

    assertThat(one.spec().containers()).isSameAs(other.spec().containers());
    assertThat(one.status().containerStatuses().get(0).mounts())
        .isSameAs(other.status().containerStatuses().get(0).mounts());
    assertThat(one.tokenVolume()).isNotEqualTo(other.tokenVolume());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0b2x9", "00000", "zzzzz"})
  void writesMountsWithTheirWholeNames(String drawn) {
    PodView pod = new PodDecoder().decode(Buffer.buffer(POD.replace("0b2x9", drawn)));

    String patch = StatusPatch.encode(pod.ref(), PodStatusView.EMPTY, pod.status()).toString(UTF_8);

    assertThat(patch)
        .contains(
            "\"volumeMounts\":[{\"name\":\"data\",\"mountPath\":\"/data\"},"
                + "{\"name\":\"ro\",\"mountPath\":\"/ro\",\"readOnly\":true,"
                + "\"recursiveReadOnly\":\"Disabled\"},"
                + "{\"name\":\"all\",\"mountPath\":\"/all\",\"readOnly\":true,"
                + "\"recursiveReadOnly\":\"Enabled\"},"
                + "{\"name\":\"kube-api-access-"
                + drawn
                + "\",\"mountPath\":\""
                + TOKEN_PATH
                + "\",\"readOnly\":true,\"recursiveReadOnly\":\"Disabled\"}]");
  }

  @Test
  void aStatusWithoutItsMountsIsWrittenAgain() {
    PodStatusView wanted = pod(JSON).status();
    String without = POD.substring(0, POD.lastIndexOf(",\"volumeMounts\"")) + "}]}}";
    PodStatusView known = new PodDecoder().decode(Buffer.buffer(without)).status();

    assertThat(StatusPatch.needed(known, wanted)).isTrue();
    assertThat(StatusPatch.needed(wanted, pod(JSON).status())).isFalse();
  }

  /** Whatever order they are read in: otherwise a status would be written for ever. */
  @Test
  void aPodWithSeveralSuchVolumesKeepsTheirNames() {
    String two = POD.replace("\"name\":\"all\"", "\"name\":\"kube-api-access-aaaaa\"");

    PodView pod = new PodDecoder().decode(Buffer.buffer(two));

    assertThat(pod.tokenVolume()).isZero();
    assertThat(pod.spec().containers().get(0).mounts().mounts())
        .extracting(Mount::volume)
        .containsExactly("data", "ro", "kube-api-access-aaaaa", "kube-api-access-0b2x9");
    assertThat(pod.status().containerStatuses().get(0).mounts())
        .isEqualTo(pod.spec().containers().get(0).mounts());
  }

  private static PodView pod(String contentType) {
    return EncodedPods.decode(contentType, POD);
  }
}
