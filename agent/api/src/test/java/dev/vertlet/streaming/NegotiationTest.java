package dev.vertlet.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.streaming.session.Framing;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.junit.jupiter.api.Test;

class NegotiationTest {
  private static MultiMap headers(String... pairs) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < pairs.length; i += 2) {
      headers.add(pairs[i], pairs[i + 1]);
    }
    return headers;
  }

  private static MultiMap webSocket(String... protocols) {
    MultiMap headers =
        headers(
            "Connection", "keep-alive, Upgrade",
            "Upgrade", "WebSocket",
            "Sec-WebSocket-Version", "13",
            "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    for (String protocol : protocols) {
      headers.add("Sec-WebSocket-Protocol", protocol);
    }
    return headers;
  }

  private static MultiMap spdy(String... versions) {
    MultiMap headers = headers("Connection", "Upgrade", "Upgrade", "SPDY/3.1", "Host", "a");
    for (String version : versions) {
      headers.add("X-Stream-Protocol-Version", version);
    }
    return headers;
  }

  private static Upgrade.Refused refused(Upgrade upgrade) {
    assertThat(upgrade).isInstanceOf(Upgrade.Refused.class);
    return (Upgrade.Refused) upgrade;
  }

  private static Upgrade command(MultiMap headers) {
    return Negotiation.command(HttpMethod.GET, headers);
  }

  @Test
  void takesTheFirstProtocolThatBothSpeak() {
    Upgrade upgrade = command(webSocket("x, v4.base64.channel.k8s.io", "v5.channel.k8s.io"));
    assertThat(upgrade).isInstanceOf(Upgrade.Channels.class);
    Upgrade.Channels channels = (Upgrade.Channels) upgrade;
    assertThat(channels.protocol()).isEqualTo("v4.base64.channel.k8s.io");
    assertThat(channels.framing()).isEqualTo(Framing.BASE64);
    // the key and its answer of RFC 6455
    assertThat(channels.headers())
        .containsEntry("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        .containsEntry("Sec-WebSocket-Protocol", "v4.base64.channel.k8s.io");
  }

  @Test
  void speaksBinaryChannelsWithClientsThatNameNothing() {
    Upgrade.Channels channels = (Upgrade.Channels) command(webSocket());
    assertThat(channels.protocol()).isEmpty();
    assertThat(channels.framing()).isEqualTo(Framing.BINARY);
    assertThat(channels.headers()).doesNotContainKey("Sec-WebSocket-Protocol");
  }

  @Test
  void refusesUnknownWebSocketProtocols() {
    Upgrade.Refused refused = refused(command(webSocket("v9.channel.k8s.io")));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text())
        .startsWith("requested protocol(s) are not supported: [v9.channel.k8s.io]; supports [v5.");
  }

  @Test
  void refusesMalformedWebSocketRequests() {
    assertThat(refused(Negotiation.command(HttpMethod.POST, webSocket())).status()).isEqualTo(405);
    assertThat(refused(command(webSocket().set("Sec-WebSocket-Version", "8"))).headers())
        .containsEntry("Sec-WebSocket-Version", List.of("13"));
    assertThat(refused(command(webSocket().set("Sec-WebSocket-Key", "short"))).text())
        .isEqualTo("mismatch challenge/response");
    assertThat(refused(command(webSocket().set("Sec-WebSocket-Key", "%%"))).status())
        .isEqualTo(400);
    assertThat(refused(command(webSocket().remove("Sec-WebSocket-Key"))).status()).isEqualTo(400);
    MultiMap tunnel = webSocket("SPDY/3.1+portforward.k8s.io");
    assertThat(refused(Negotiation.ports(HttpMethod.PUT, tunnel)).status()).isEqualTo(405);
  }

  @Test
  void agreesOnAVersionOfSpdy() {
    Upgrade upgrade = command(spdy("v9.channel.k8s.io", "v4.channel.k8s.io,v3.channel.k8s.io"));
    assertThat(upgrade).isInstanceOf(Upgrade.Spdy.class);
    assertThat(((Upgrade.Spdy) upgrade).protocol()).isEqualTo("v4.channel.k8s.io");
    assertThat(((Upgrade.Spdy) upgrade).headers())
        .containsEntry("X-Stream-Protocol-Version", "v4.channel.k8s.io");
  }

  @Test
  void refusesSpdyAsKubeletsDo() {
    Upgrade.Refused ordinary = refused(command(headers()));
    assertThat(ordinary.status()).isEqualTo(500);
    assertThat(ordinary.text()).isEqualTo("Upgrade request required");
    assertThat(refused(command(headers("X-Stream-Protocol-Version", "v4.channel.k8s.io"))))
        .isEqualTo(ordinary);
    Upgrade.Refused without = refused(command(spdy()));
    assertThat(without.status()).isEqualTo(400);
    assertThat(without.text())
        .isEqualTo(
            "unable to upgrade: header X-Stream-Protocol-Version does not exist in request with 2"
                + " headers");
    assertThat(refused(command(spdy(" , "))).text()).endsWith("but no valid protocols");
    Upgrade.Refused unknown = refused(command(spdy("v9.channel.k8s.io")));
    assertThat(unknown.status()).isEqualTo(403);
    assertThat(unknown.text())
        .isEqualTo(
            "unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io],"
                + " server accepts [v5.channel.k8s.io v4.channel.k8s.io v3.channel.k8s.io"
                + " v2.channel.k8s.io channel.k8s.io]");
    assertThat(unknown.headers().get("X-Accepted-Stream-Protocol-Versions")).hasSize(5);
    assertThat(refused(command(spdy("v4.channel.k8s.io").remove("Upgrade"))).text())
        .startsWith("unable to upgrade: missing upgrade headers in request");
    assertThat(refused(command(spdy("v4.channel.k8s.io").set("Upgrade", "h2c"))).status())
        .isEqualTo(400);
  }

  @Test
  void forwardsPortsOverAllThatClientsSpeak() {
    HttpMethod get = HttpMethod.GET;
    assertThat(Negotiation.ports(get, webSocket("SPDY/3.1+portforward.k8s.io")))
        .isInstanceOf(Upgrade.Tunnel.class);
    assertThat(Negotiation.ports(get, webSocket("v4.channel.k8s.io")))
        .isInstanceOf(Upgrade.Channels.class);
    assertThat(Negotiation.ports(get, spdy("portforward.k8s.io"))).isInstanceOf(Upgrade.Spdy.class);
    Upgrade.Refused refused = refused(Negotiation.ports(get, webSocket("SPDY/3.1+other.k8s.io")));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("client supports [other.k8s.io]");
    assertThat(refused(Negotiation.ports(get, webSocket("v5.channel.k8s.io"))).status())
        .isEqualTo(403);
  }
}
