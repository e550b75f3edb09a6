package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException.Kind;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.PKIXReason;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
  @ParameterizedTest
  @CsvSource({
    "400, BadRequest, INVALID, GIVE_UP",
    "401, Unauthorized, UNAUTHORIZED, REAUTHENTICATE",
    "403, Forbidden, FORBIDDEN, AUTHORIZE",
    "404, NotFound, NOT_FOUND, REREAD",
    "405, MethodNotAllowed, INVALID, GIVE_UP",
    "408, Timeout, TIMEOUT, RETRY",
    "409, AlreadyExists, ALREADY_EXISTS, REREAD",
    "409, Conflict, CONFLICT, REREAD",
    "410, Expired, EXPIRED, RELIST",
    "413, RequestEntityTooLarge, INVALID, GIVE_UP",
    "422, Invalid, INVALID, GIVE_UP",
    "429, TooManyRequests, THROTTLED, RETRY",
    "500, Expired, EXPIRED, RELIST",
    "500, InternalError, SERVER_ERROR, RETRY",
    "504, Timeout, SERVER_ERROR, RETRY"
  })
  void statusAndReasonDecideWhatToDo(int status, String reason, Kind kind, Recovery recovery) {
    KubeException failure =
        answer(status, null, "{\"kind\":\"Status\",\"reason\":\"" + reason + "\"}");
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.recovery()).isEqualTo(recovery);
    assertThat(failure.status()).isEqualTo(status);
  }

  @Test
  void forbiddenNamesUserVerbResourceAndGroup() {
    String body =
        "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"leases.coordination.k8s.io is"
            + " forbidden: User \\\"system:serviceaccount:x:y\\\" cannot create resource"
            + " \\\"leases\\\"\"}";

    KubeException failure =
        Failures.answer(Verb.CREATE, KubePath.nodeLeases(), 403, null, Buffer.buffer(body));
    assertThat(failure)
        .hasMessageStartingWith(
            "forbidden: user \"system:serviceaccount:x:y\" may not create leases in API group"
                + " \"coordination.k8s.io\"")
        .hasMessageNotContaining("\n");
  }

  @Test
  void blamesRbacOnlyForWhatTheAuthorizerRefused() {
    String body =
        "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"nodes \\\"a\\\" is forbidden:"
            + " node \\\"b\\\" is not allowed to modify node \\\"a\\\"\"}";

    KubeException failure =
        Failures.answer(Verb.PATCH, KubePath.node("a"), 403, null, Buffer.buffer(body));
    assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN);
    assertThat(failure)
        .hasMessageStartingWith("forbidden: patch nodes")
        .hasMessageContaining("is not allowed to modify")
        .hasMessageNotContaining("RBAC");
  }

  @Test
  void whatANamespaceThatIsGoingAwayRefusesIsGivenUp() {
    String body =
        "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"events \\\"e\\\" is forbidden:"
            + " unable to create new content in namespace ns because it is being terminated\"}";

    KubeException failure =
        Failures.answer(Verb.CREATE, KubePath.events("ns"), 403, null, Buffer.buffer(body));
    assertThat(failure.recovery()).isEqualTo(Recovery.GIVE_UP);
    assertThat(failure).hasMessageContaining("because it is being terminated");
  }

  @Test
  void aServerThatIsStartingRefusesNothingForGood() {
    String body =
        "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"pods \\\"p\\\" is forbidden:"
            + " not yet ready to handle request\"}";

    KubeException failure =
        Failures.answer(Verb.CREATE, KubePath.pods("ns"), 403, null, Buffer.buffer(body));
    assertThat(failure.recovery()).isEqualTo(Recovery.RETRY);
  }

  @Test
  void readsTheStatusFromProtobufToo() {
    // given: runtime.Unknown{raw=2: Status{message=3, reason=4, details=5{retryAfterSeconds=5}}}
    Buffer status =
        Buffer.buffer()
            .appendBuffer(text(3, "too many requests"))
            .appendBuffer(text(4, "TooManyRequests"))
            .appendBytes(new byte[] {0x2a, 2, 0x28, 7});
    Buffer body =
        Buffer.buffer(new byte[] {'k', '8', 's', 0, 0x0a, 2, 0x0a, 0, 0x12, (byte) status.length()})
            .appendBuffer(status);

    KubeException failure = Failures.answer(Verb.LIST, KubePath.pods(), 429, null, body);
    assertThat(failure).hasMessage("list /api/v1/pods: 429 TooManyRequests: too many requests");
    assertThat(failure.retryAfter()).contains(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @CsvSource({"'<html>bad gateway</html>'", "''", "'{\"kind\":'", "'[1]'", "k8s"})
  void survivesBodiesThatAreNoStatus(String body) {
    assertThat(answer(502, null, body)).hasMessage("get /api/v1/nodes/a: 502 SERVER_ERROR");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1264", "12641a", "0d01", "1a", "12021a64", "12ffffffffffffffffffff01", "1203"})
  void survivesBrokenProtobuf(String hex) {
    byte[] bytes = HexFormat.of().parseHex("6b387300" + hex);

    KubeException failure =
        Failures.answer(Verb.GET, KubePath.node("a"), 500, null, Buffer.buffer(bytes));
    assertThat(failure.kind()).isEqualTo(Kind.SERVER_ERROR);
  }

  @Test
  void retryAfterComesFromTheHeaderFirst() {
    String body = "{\"details\":{\"causes\":[{\"a\":{}}],\"retryAfterSeconds\":9}}";
    assertThat(answer(429, "3", body).retryAfter()).contains(Duration.ofSeconds(3));
    assertThat(answer(429, null, body).retryAfter()).contains(Duration.ofSeconds(9));
    assertThat(answer(429, "Wed, 21 Oct 2026 07:28:00 GMT", "{}").retryAfter()).isEmpty();
  }

  @Test
  void longMessagesAreCutAndStayOnOneLine() {
    String body = "{\"message\":\"" + "line\\n".repeat(1000) + "\"}";
    assertThat(answer(500, null, body).getMessage()).hasSizeLessThan(500).doesNotContain("\n");
  }

  static Stream<Exception> wrongAuthorities() {
    return Stream.of(
        new CertPathBuilderException("unable to find valid certification path to target"),
        // one of the same name
        new CertPathValidatorException(
            "signature check failed", new SignatureException("no match")),
        new CertPathValidatorException(
            "Path does not chain with any of the trust anchors",
            null,
            null,
            -1,
            PKIXReason.NO_TRUST_ANCHOR));
  }

  @ParameterizedTest
  @MethodSource("wrongAuthorities")
  void aWrongCertificateAuthorityIsCalledThat(Exception cause) {
    var failure = new SSLHandshakeException("General OpenSslEngine problem");
    failure.initCause(new CertificateException("PKIX path validation failed", cause));
    assertThat(Failures.isUntrusted(failure)).isTrue();
    assertThat(Failures.describe(failure))
        .isEqualTo(
            "the API server's certificate is not signed by the configured certificate authority");
  }

  @Test
  void aCertificateThatIsOutOfDateIsNoOtherAuthoritys() {
    var failure = new SSLHandshakeException("General OpenSslEngine problem");
    failure.initCause(
        new CertPathValidatorException(
            "validity check failed",
            new CertificateExpiredException("NotAfter: yesterday"),
            null,
            -1,
            BasicReason.EXPIRED));
    assertThat(Failures.isUntrusted(failure)).isFalse();
    assertThat(Failures.describe(failure)).isEqualTo("TLS: NotAfter: yesterday");
  }

  static Stream<Arguments> failuresWithoutAMessage() {
    return Stream.of(
        Arguments.of(new ClosedChannelException(), "the connection was closed"),
        Arguments.of(new IOException(new ClosedChannelException()), "the connection was closed"),
        Arguments.of(new EOFException(), "the connection was closed"),
        Arguments.of(new TimeoutException(), "no answer in time"),
        Arguments.of(new IllegalStateException(), "no reason was given"));
  }

  @ParameterizedTest
  @MethodSource("failuresWithoutAMessage")
  void aFailureWithoutAMessageIsToldInWords(Throwable failure, String message) {
    KubeException told = Failures.transport(Verb.PATCH, KubePath.node("a"), failure);
    assertThat(told).hasMessage("patch /api/v1/nodes/a: " + message);
  }

  private static KubeException answer(
      int status, @org.jspecify.annotations.Nullable String retryAfter, String body) {
    return Failures.answer(Verb.GET, KubePath.node("a"), status, retryAfter, Buffer.buffer(body));
  }

  private static Buffer text(int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer(new byte[] {(byte) (field << 3 | 2), (byte) bytes.length})
        .appendBytes(bytes);
  }
}
