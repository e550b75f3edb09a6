package dev.vertlet.model.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.WatchEvent.Upsert;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReferredDecodersTest {
  private static final String METADATA =
      "\"metadata\":{\"namespace\":\"ns\",\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"}";

  @Test
  void ofAConfigMapsBytesOnlyTheKeysAreTaken() {
    assertThat(
            decode(
                ReferredKind.CONFIG_MAP,
                "{%s,\"immutable\":true,\"data\":{\"k\":\"v\",\"e\":\"\"},\"binaryData\":{\"b\":\"AAE=\"}}"))
        .isEqualTo(
            new DataView(
                "ns", "a", "u", 7, true, Map.of("k", "v", "e", ""), Set.of("b"), "", Map.of()));
  }

  @Test
  void aSecretsValuesAreDecodedAndNeverShown() {
    ReferredView secret =
        decode(ReferredKind.SECRET, "{%s,\"data\":{\"k\":\"aHVzaA==\",\"e\":null}}");

    assertThat(secret)
        .isEqualTo(new DataView("ns", "a", "u", 7, false, Map.of("k", "hush", "e", "")));
    assertThat(secret.toString()).contains("ns/a at 7").contains("k").doesNotContain("hush");
  }

  @Test
  void bytesAreKeptForVolumes() {
    DataView map =
        (DataView)
            ReferredDecoders.of(ReferredKind.CONFIG_MAP, true)
                .decodeList(
                    "application/json",
                    Buffer.buffer(
                        "{\"items\":[{%s,\"data\":{\"k\":\"v\"},\"binaryData\":{\"b\":\"/wA=\"}}]}"
                            .formatted(METADATA)))
                .items()
                .get(0);
    DataView secret =
        (DataView)
            ReferredDecoders.of(ReferredKind.SECRET, true)
                .decodeList(
                    "application/json",
                    Buffer.buffer(
                        "{\"items\":[{%s,\"type\":\"T\",\"data\":{\"k\":\"dg==\",\"b\":\"/wA=\"}}]}"
                            .formatted(METADATA)))
                .items()
                .get(0);

    Buffer bytes = Buffer.buffer(new byte[] {(byte) 0xff, 0});
    assertThat(map.bytes("b")).isEqualTo(bytes);
    assertThat(map.bytes("k")).isEqualTo(Buffer.buffer("v"));
    assertThat(map.bytes("none")).isNull();
    assertThat(secret.bytes("b")).isEqualTo(bytes);
    assertThat(secret.binary()).containsOnlyKeys("b");
    assertThat(secret.type()).isEqualTo("T");
  }

  @Test
  void aSecretThatIsNotBase64IsRefusedWithoutItsValue() {
    assertThatThrownBy(() -> decode(ReferredKind.SECRET, "{%s,\"data\":{\"k\":\"?hush?\"}}"))
        .isInstanceOf(DecodeException.class)
        .hasMessage("data.k of a Secret must be base64");
  }

  @Test
  void anObjectWithoutANameIsRefused() {
    assertThatThrownBy(
            () ->
                ReferredDecoders.of(ReferredKind.CONFIG_MAP)
                    .decodeList("application/json", Buffer.buffer("{\"items\":[{}]}")))
        .isInstanceOf(DecodeException.class)
        .hasMessage("an object must have metadata.name");
  }

  @Test
  void aServiceIsItsAddressAndItsPorts() {
    assertThat(
            decode(
                ReferredKind.SERVICE,
                "{%s,\"spec\":{\"clusterIP\":\"10.0.0.1\",\"ports\":["
                    + "{\"port\":80},{\"name\":\"d\",\"port\":53,\"protocol\":\"UDP\"}]}}"))
        .isEqualTo(
            new ServiceView(
                "ns",
                "a",
                "u",
                7,
                "10.0.0.1",
                List.of(
                    new ServiceView.Port("", 80, "TCP"), new ServiceView.Port("d", 53, "UDP"))));
  }

  @Test
  void aClaimIsWhatItIsBoundTo() {
    assertThat(
            decode(
                ReferredKind.PERSISTENT_VOLUME_CLAIM,
                "{%s,\"spec\":{\"volumeName\":\"pv\"},\"status\":{\"phase\":\"Bound\"}}"))
        .isEqualTo(new ClaimView("ns", "a", "u", 7, false, "Bound", "pv", ""));
    assertThat(decode(ReferredKind.PERSISTENT_VOLUME_CLAIM, "{%s}"))
        .isEqualTo(new ClaimView("ns", "a", "u", 7, false, "", "", ""));
  }

  /** While a pod uses it, a claim that is being deleted stays. */
  @Test
  void aClaimLeavesWhenNothingProtectsIt() {
    String leaving =
        "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"a\",\"uid\":\"u\","
            + "\"resourceVersion\":\"7\",\"deletionTimestamp\":\"2024-01-01T00:00:00Z\","
            + "\"ownerReferences\":[{\"uid\":\"x\"},{\"uid\":\"o\",\"controller\":true}],"
            + "\"finalizers\":[\"%f\"]}}";
    assertThat(
            decode(
                ReferredKind.PERSISTENT_VOLUME_CLAIM,
                leaving.replace("%f", "kubernetes.io/pvc-protection")))
        .isEqualTo(new ClaimView("ns", "a", "u", 7, false, "", "", "o"));
    assertThat(decode(ReferredKind.PERSISTENT_VOLUME_CLAIM, leaving.replace("%f", "other")))
        .isEqualTo(new ClaimView("ns", "a", "u", 7, true, "", "", "o"));
  }

  @Test
  void aPersistentVolumeIsItsClaimAndItsGroup() {
    String metadata = METADATA.replace("\"namespace\":\"ns\",", "");
    String annotated =
        metadata.replace(
            "\"uid\"", "\"annotations\":{\"pv.beta.kubernetes.io/gid\":\"12\"},\"uid\"");
    assertThat(
            decode(
                ReferredKind.PERSISTENT_VOLUME,
                "{" + annotated + ",\"spec\":{\"claimRef\":{\"uid\":\"c\"}}}"))
        .isEqualTo(new PersistentVolumeView("a", "u", 7, "c", "12"));
    ReferredView free = decode(ReferredKind.PERSISTENT_VOLUME, "{" + metadata + ",\"spec\":{}}");
    assertThat(free).isEqualTo(new PersistentVolumeView("a", "u", 7, null, ""));
    assertThat(free.namespace()).isEmpty();
  }

  @Test
  void aTrustBundleIsItsSignerItsLabelsAndItsCertificates() {
    String metadata =
        METADATA
            .replace("\"namespace\":\"ns\",", "")
            .replace("\"uid\"", "\"labels\":{\"l\":\"v\"},\"uid\"");
    assertThat(
            decode(
                ReferredKind.CLUSTER_TRUST_BUNDLE,
                "{" + metadata + ",\"spec\":{\"signerName\":\"s\",\"trustBundle\":\"pem\"}}"))
        .isEqualTo(new TrustBundleView("a", "u", 7, "s", Map.of("l", "v"), "pem"));
  }

  private static ReferredView decode(ReferredKind kind, String object) {
    String frame = "{\"type\":\"ADDED\",\"object\":" + object.replace("%s", METADATA) + "}";
    WatchEvent<ReferredView> event =
        ReferredDecoders.of(kind).decodeEvent("application/json", Buffer.buffer(frame));
    return ((Upsert<ReferredView>) event).object();
  }
}
