package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.NetworkView.DnsOption;
import dev.vertlet.model.pod.NetworkView.HostAlias;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.pod.VolumeView.Source;
import dev.vertlet.model.reference.ReferredKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kubelet C31: what a pod says of its name, its DNS and its volumes, in both encodings. */
@Tag("C31")
class NetworkReaderTest {
  private static final NetworkView ALL =
      new NetworkView(
          "host",
          "sub",
          "other.name",
          true,
          "None",
          List.of("192.0.2.1", "192.0.2.2"),
          List.of("a.example"),
          List.of(new DnsOption("ndots", "2"), new DnsOption("edns0", null)),
          List.of(
              new HostAlias("192.0.2.9", List.of("db", "db.example")),
              new HostAlias("2001:db8::9", List.of())));

  private static NetworkView json(String spec) {
    return decode(JSON, spec).network();
  }

  private static PodSpecView decode(String contentType, String spec) {
    return EncodedPods.withSpec(contentType, spec).spec();
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void whatAPodSaysOfItsNetwork(String contentType) {
    PodSpecView spec =
        decode(
            contentType,
            """
            {"hostname": "host", "subdomain": "sub", "hostnameOverride": "other.name",
             "setHostnameAsFQDN": true, "dnsPolicy": "None", "dnsConfig": {
               "nameservers": ["192.0.2.1", "192.0.2.2"], "searches": ["a.example"],
               "options": [{"name": "ndots", "value": "2"}, {"name": "edns0"}]},
             "hostAliases": [{"ip": "192.0.2.9", "hostnames": ["db", "db.example"]},
                             {"ip": "2001:db8::9"}]}\
            """);

    assertThat(spec.network()).isEqualTo(ALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void limitsOfLocalVolumes(String contentType) {
    PlacementView placement =
        decode(
                contentType,
                """
                {"volumes": [{"name": "cache", "emptyDir": {"medium": "", "sizeLimit": "1Gi"}},
                             {"name": "free", "emptyDir": {"medium": "Memory"}},
                             {"name": "host", "hostPath": {"path": "/"}}]}\
                """)
            .placement();

    assertThat(placement.emptyDirLimits()).isEqualTo(Map.of("cache", "1Gi"));
    assertThat(placement.volumes()).containsExactly(new VolumeView("host", "hostPath", List.of()));
    String free = "{\"volumes\": [{\"name\": \"free\", \"emptyDir\": {}}]}";
    assertThat(decode(contentType, free).placement()).isSameAs(PlacementView.NONE);
  }

  private static Source claim(String name) {
    return new Source(ReferredKind.PERSISTENT_VOLUME_CLAIM, name, List.of(), false);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void volumesThatShowObjects(String contentType) {
    PodSpecView spec =
        decode(
            contentType,
            """
            {"volumes": [
              {"name": "c", "configMap": {"name": "settings", "defaultMode": 420,
                "items": [{"key": "a", "path": "x"}, {"key": "b", "path": "y"}]}},
              {"name": "s", "secret": {"secretName": "hidden", "optional": true}},
              {"name": "p", "projected": {"sources": [
                {"secret": {"name": "hidden", "optional": true}},
                {"configMap": {"name": "settings"}}]}},
              {"name": "data", "persistentVolumeClaim": {"claimName": "claim"}},
              {"name": "own", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]}\
            """);

    Source hidden = new Source(ReferredKind.SECRET, "hidden", List.of(), true);
    assertThat(spec.placement().volumes())
        .containsExactly(
            new VolumeView(
                "c",
                "configMap",
                List.of(new Source(ReferredKind.CONFIG_MAP, "settings", List.of("a", "b"), false))),
            new VolumeView("s", "secret", List.of(hidden)),
            new VolumeView(
                "p",
                "projected",
                List.of(hidden, new Source(ReferredKind.CONFIG_MAP, "settings", List.of(), false))),
            new VolumeView("data", "persistentVolumeClaim", List.of(claim("claim"))),
            new VolumeView("own", "ephemeral", List.of(claim(""))));
  }

  /** Every pod has one, of another name each: pods of a template share the rest nevertheless. */
  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void theVolumeOfAPodsTokenIsNotKept(String contentType) {
    PodSpecView spec =
        decode(
            contentType,
            """
            {"volumes": [{"name": "kube-api-access-x", "projected": {"sources": [
              {"serviceAccountToken": {"path": "token"}},
              {"configMap": {"name": "kube-root-ca.crt"}}, {"downwardAPI": {}}]}}]}\
            """);

    assertThat(spec.placement()).isSameAs(PlacementView.NONE);
  }

  @Test
  void podsThatSayNothingShareOneView() {
    assertThat(json("{}")).isSameAs(NetworkView.DEFAULT);
    assertThat(json("{\"dnsPolicy\": \"ClusterFirst\", \"dnsConfig\": {}}"))
        .isSameAs(NetworkView.DEFAULT);
    assertThat(json("{\"hostAliases\": []}")).isSameAs(NetworkView.DEFAULT);
    assertThat(json("{\"dnsPolicy\": \"Default\"}").dnsPolicy()).isEqualTo("Default");
  }
}
