package dev.vertlet.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTokenTest {
  private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";

  private static String protocol(String token) {
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "Bearer abc, abc",
    "bearer abc, abc",
    "BEARER abc, abc",
    "'  Bearer abc  ', abc",
    "Bearer abc def, abc",
    "Bearer a=b/c+d, a=b/c+d"
  })
  void findsTheTokenOfAHeader(String header, String token) {
    assertThat(RequestToken.bearer(header)).contains(token);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "Bearer", "Bearer ", "Bearer  abc", "Basic abc", "abc"})
  void findsNoTokenWhereThereIsNone(String header) {
    assertThat(RequestToken.bearer(header)).isEmpty();
    assertThat(RequestToken.bearer(null)).isEmpty();
  }

  @Test
  void findsTheTokenAmongSubprotocolsAndLeavesTheOthers() {
    RequestToken.OfWebSocket found =
        RequestToken.webSocket(
            List.of("v5.channel.k8s.io, " + protocol("sécret"), "v4.channel.k8s.io"));

    assertThat(found.token()).isEqualTo("sécret");
    assertThat(found.others()).containsExactly("v5.channel.k8s.io", "v4.channel.k8s.io");
    assertThat(found.toString()).doesNotContain("sécret");
  }

  @Test
  void subprotocolsWithoutATokenStayAsTheyAre() {
    RequestToken.OfWebSocket found = RequestToken.webSocket(List.of("a,b"));

    assertThat(found.token()).isNull();
    assertThat(found.others()).containsExactly("a", "b");
    assertThat(RequestToken.webSocket(List.of()).others()).isEmpty();
    assertThat(RequestToken.webSocket(List.of("a," + PREFIX)).token()).isNull();
  }

  @Test
  void refusesTokensThatAreMeantToConfuse() {
    assertThatThrownBy(
            () -> RequestToken.webSocket(List.of("a," + protocol("x") + "," + protocol("y"))))
        .hasMessage("a WebSocket names two tokens");
    assertThatThrownBy(() -> RequestToken.webSocket(List.of(protocol("x"))))
        .hasMessage("a WebSocket names a token and no other subprotocol");
    assertThatThrownBy(() -> RequestToken.webSocket(List.of("a," + PREFIX + "!!")))
        .hasMessage("a WebSocket's token is not base64url of UTF-8");
    assertThatThrownBy(() -> RequestToken.webSocket(List.of("a," + PREFIX + "_w")))
        .hasMessage("a WebSocket's token is not base64url of UTF-8");
  }
}
