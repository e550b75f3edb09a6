package dev.vertlet.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.NetworkView.DnsOption;
import dev.vertlet.model.NetworkView.HostAlias;
import dev.vertlet.model.VolumeView.Source;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
    return decode(spec).network();
  }

  private static PodSpecView decode(String spec) {
    String frame =
        """
        {"type": "ADDED", "object": {"kind": "Pod", "metadata":
          {"name": "a", "namespace": "n", "uid": "u", "resourceVersion": "7"}, "spec": %s}}"""
            .formatted(spec);
    WatchEvent<PodView> event = new PodDecoder().decodeEvent(Fixtures.JSON, Buffer.buffer(frame));
    return ((WatchEvent.Upsert<PodView>) event).object().spec();
  }

  @Test
  void whatIsSaidInJson() {
    assertThat(
            json(
                """
                {"hostname": "host", "subdomain": "sub", "hostnameOverride": "other.name",
                 "setHostnameAsFQDN": true, "dnsPolicy": "None", "dnsConfig": {
                   "nameservers": ["192.0.2.1", "192.0.2.2"], "searches": ["a.example"],
                   "options": [{"name": "ndots", "value": "2"}, {"name": "edns0"}]},
                 "hostAliases": [{"ip": "192.0.2.9", "hostnames": ["db", "db.example"]},
                                 {"ip": "2001:db8::9"}]}"""))
        .isEqualTo(ALL);
  }

  @Test
  void whatIsSaidInProtobuf() {
    Buffer config =
        join(
            text(1, "192.0.2.1"),
            text(1, "192.0.2.2"),
            text(2, "a.example"),
            message(3, join(text(1, "ndots"), text(2, "2"))),
            message(3, text(1, "edns0")));
    Buffer spec =
        join(
            text(6, "None"),
            text(16, "host"),
            text(17, "sub"),
            message(23, join(text(1, "192.0.2.9"), text(2, "db"), text(2, "db.example"))),
            message(23, text(1, "2001:db8::9")),
            message(26, config),
            join(tag(35, 0), Buffer.buffer(new byte[] {1})),
            text(41, "other.name"));

    assertThat(decode(spec).network()).isEqualTo(ALL);
  }

  private static PodSpecView decode(Buffer spec) {
    Buffer metadata = join(text(1, "a"), text(3, "n"), text(5, "u"), text(6, "7"));
    byte[] pod = join(message(1, metadata), message(2, spec)).getBytes();
    ProtoReader in = new ProtoReader(pod, new Interner());
    in.enterFrame();
    return new PodReader(new Interner()).read(in).spec();
  }

  @Test
  void limitsOfLocalVolumes() {
    Buffer limited = message(2, message(2, message(2, text(1, "1Gi"))));
    PodSpecView protobuf =
        decode(
            join(
                message(1, join(text(1, "cache"), limited)),
                message(1, join(text(1, "free"), message(2, message(2, text(1, "Memory"))))),
                message(1, join(text(1, "host"), message(2, message(1, text(1, "/")))))));
    PodSpecView json =
        decode(
            """
            {"volumes": [{"name": "cache", "emptyDir": {"medium": "", "sizeLimit": "1Gi"}},
                         {"name": "free", "emptyDir": {}},
                         {"name": "host", "hostPath": {"path": "/"}}]}""");

    assertThat(json.placement().emptyDirLimits()).isEqualTo(Map.of("cache", "1Gi"));
    assertThat(json.placement().volumes())
        .containsExactly(new VolumeView("host", "hostPath", List.of()));
    assertThat(protobuf.placement()).isEqualTo(json.placement());
    assertThat(decode("{\"volumes\": [{\"name\": \"free\", \"emptyDir\": {}}]}").placement())
        .isSameAs(PlacementView.NONE);
  }

  private static Source claim(String name) {
    return new Source(ReferredKind.PERSISTENT_VOLUME_CLAIM, name, List.of(), false);
  }

  @Test
  void volumesThatShowObjects() {
    Buffer twoKeys = join(message(2, text(1, "a")), message(2, text(1, "b")));
    Buffer optional = join(tag(4, 0), varint(1));
    PodSpecView protobuf =
        decode(
            join(
                volume("c", 19, join(message(1, text(1, "settings")), twoKeys)),
                volume("s", 6, join(text(1, "hidden"), optional)),
                volume(
                    "p",
                    26,
                    join(
                        message(1, message(1, join(message(1, text(1, "hidden")), optional))),
                        message(1, message(3, message(1, text(1, "settings")))))),
                volume("data", 10, text(1, "claim")),
                volume("own", 29, message(1, text(1, "template")))));
    PodSpecView json =
        decode(
            """
            {"volumes": [
              {"name": "c", "configMap": {"name": "settings", "defaultMode": 420,
                "items": [{"key": "a", "path": "x"}, {"key": "b", "path": "y"}]}},
              {"name": "s", "secret": {"secretName": "hidden", "optional": true}},
              {"name": "p", "projected": {"sources": [
                {"secret": {"name": "hidden", "optional": true}},
                {"configMap": {"name": "settings"}}]}},
              {"name": "data", "persistentVolumeClaim": {"claimName": "claim"}},
              {"name": "own", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]}""");

    Source hidden = new Source(ReferredKind.SECRET, "hidden", List.of(), true);
    assertThat(json.placement().volumes())
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
    assertThat(protobuf.placement()).isEqualTo(json.placement());
  }

  /** Every pod has one, of another name each: pods of a template share the rest nevertheless. */
  @Test
  void theVolumeOfAPodsTokenIsNotKept() {
    Buffer token =
        volume(
            "kube-api-access-x",
            26,
            join(
                message(1, message(4, text(3, "token"))),
                message(1, message(3, message(1, text(1, "kube-root-ca.crt")))),
                message(1, message(2, Buffer.buffer()))));

    assertThat(decode(token).placement()).isSameAs(PlacementView.NONE);
    assertThat(
            decode(
                    """
                    {"volumes": [{"name": "kube-api-access-x", "projected": {"sources": [
                      {"serviceAccountToken": {"path": "token"}},
                      {"configMap": {"name": "kube-root-ca.crt"}}, {"downwardAPI": {}}]}}]}""")
                .placement())
        .isSameAs(PlacementView.NONE);
  }

  private static Buffer volume(String name, int kind, Buffer body) {
    return message(1, join(text(1, name), message(2, message(kind, body))));
  }

  @Test
  void podsThatSayNothingShareOneView() {
    assertThat(json("{}")).isSameAs(NetworkView.DEFAULT);
    assertThat(json("{\"dnsPolicy\": \"ClusterFirst\", \"dnsConfig\": {}}"))
        .isSameAs(NetworkView.DEFAULT);
    assertThat(json("{\"hostAliases\": []}")).isSameAs(NetworkView.DEFAULT);
    assertThat(json("{\"dnsPolicy\": \"Default\"}").dnsPolicy()).isEqualTo("Default");
  }

  private static Buffer text(int number, String text) {
    return message(number, Buffer.buffer(text.getBytes(UTF_8)));
  }

  private static Buffer message(int number, Buffer body) {
    return join(tag(number, 2), varint(body.length()), body);
  }

  private static Buffer tag(int number, int wireType) {
    return varint(number << 3 | wireType);
  }

  private static Buffer varint(int value) {
    return value < 128
        ? Buffer.buffer(new byte[] {(byte) value})
        : Buffer.buffer(new byte[] {(byte) (value | 128)}).appendBuffer(varint(value >> 7));
  }

  private static Buffer join(Buffer... parts) {
    Buffer whole = Buffer.buffer();
    for (Buffer part : parts) {
      whole.appendBuffer(part);
    }
    return whole;
  }
}
