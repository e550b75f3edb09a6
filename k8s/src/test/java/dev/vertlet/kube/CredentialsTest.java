package dev.vertlet.kube;

import static dev.vertlet.kube.ApiLab.FAST;
import static dev.vertlet.kube.ApiLab.failure;
import static dev.vertlet.kube.ApiLab.getNodes;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.kube.KubeException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(VertxExtension.class)
class CredentialsTest {
  @TempDir Path directory;

  private final Ticker clock = new Ticker();

  @Test
  void manyRequestsRefusedAtOnceShareOneRefresh(Vertx vertx) throws Exception {
    // given
    ApiLab lab = ApiLab.start(vertx);
    KubeClient client = client(lab);
    getNodes(client, Lane.REST).await(10, SECONDS);
    // when
    lab.server.acceptTokens("rotated");
    token("rotated");
    clock.advance(Duration.ofSeconds(5));
    List<Future<KubeResponse>> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      requests.add(getNodes(client, i % 2 == 0 ? Lane.REST : Lane.LEASE));
    }
    Future.all(requests).await(20, SECONDS);
    // then
    assertThat(requests).allMatch(request -> request.result().status() == 200);
    assertThat(lab.metric(KubeMetrics.REFRESHES)).isEqualTo(1);
  }

  @Test
  void aTokenFileIsReadAgainEachMinute(Vertx vertx) throws Exception {
    // given
    ApiLab lab = ApiLab.start(vertx);
    KubeClient client = client(lab);
    token("rotated");
    lab.server.acceptTokens(lab.server.token(), "rotated");
    // when
    clock.advance(Duration.ofSeconds(61));
    getNodes(client, Lane.REST).await(10, SECONDS);
    lab.server.acceptTokens("rotated");
    // then
    assertThat(getNodes(client, Lane.REST).await(10, SECONDS).status()).isEqualTo(200);
  }

  @Test
  void aSecond401IsFinalAndSaysSo(Vertx vertx) throws Exception {
    // given
    ApiLab lab = ApiLab.start(vertx);
    KubeClient client = client(lab);
    lab.server.acceptTokens("another");
    token("still-wrong");
    clock.advance(Duration.ofSeconds(5));
    // when
    KubeException failure = failure(getNodes(client, Lane.REST));
    // then
    assertThat(failure.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(failure).hasMessageStartingWith("get /api/v1/nodes: 401 Unauthorized");
    assertThat(lab.server.count("list", "nodes")).isLessThanOrEqualTo(2);
  }

  @Test
  void saysWhenFreshCredentialsCannotBeRead(Vertx vertx) throws Exception {
    // given
    ApiLab lab = ApiLab.start(vertx);
    KubeClient client = client(lab);
    lab.server.acceptTokens("another");
    Files.delete(directory.resolve("token"));
    clock.advance(Duration.ofSeconds(5));
    // when
    KubeException failure = failure(getNodes(client, Lane.REST));
    // then
    assertThat(failure.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(failure)
        .hasMessageContaining("no fresh credentials: ")
        .hasMessageContaining("token file");
  }

  @Test
  void aWatchIsAuthenticatedAnewAsWell(Vertx vertx) throws Exception {
    // given
    ApiLab lab = ApiLab.start(vertx);
    KubeClient client = client(lab);
    lab.server.acceptTokens("rotated");
    token("rotated");
    clock.advance(Duration.ofSeconds(5));
    // when
    Reflector<Thing> reflector =
        new Reflector<>(
            client,
            ListWatch.of("nodes", KubePath.nodes(), new ThingDecoder()),
            new World(),
            Reflector.DEFAULT_BACKOFF,
            new java.util.Random(1));
    reflector.start().await(10, SECONDS);
    // then
    assertThat(reflector.synced()).isTrue();
    assertThat(lab.metric(KubeMetrics.RETRIES)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void aReplacedCertificateAuthorityIsUsedForTheNextConnection(HttpProtocol protocol, Vertx vertx)
      throws Exception {
    // given
    ApiLab lab = ApiLab.start(vertx, ApiServerOptions.defaults());
    Path ca = Files.writeString(directory.resolve("ca.crt"), TestCertificates.CA);
    Path kubeconfig =
        Files.writeString(
            directory.resolve("config"),
            lab.server
                .kubeconfig()
                .replaceFirst("certificate-authority-data: .*", "certificate-authority: ca.crt"));
    ApiAccess access = new ApiAccess(kubeconfig, null, Map.of(), directory, directory, null);
    KubeClient client =
        KubeClient.create(vertx, FAST.withProtocol(protocol), access, lab.registry, clock)
            .await(10, SECONDS);
    KubeException refused = failure(getNodes(client, Lane.REST));
    // when
    Files.writeString(ca, lab.server.caPem());
    clock.advance(Duration.ofSeconds(61));
    // then
    assertThat(refused).hasMessageContaining("certificate authority");
    await()
        .untilAsserted(
            () ->
                assertThat(
                        getNodes(client, Lane.REST)
                            .map(KubeResponse::status)
                            .otherwise(0)
                            .await(5, SECONDS))
                    .isEqualTo(200));
  }

  @Test
  void aConfigurationThatCannotBeUsedFailsTheCreation(Vertx vertx) {
    // given
    ApiAccess access =
        new ApiAccess(directory.resolve("none"), null, Map.of(), directory, directory, null);
    // then
    assertThatThrownBy(
            () ->
                KubeClient.create(
                        vertx,
                        FAST,
                        access,
                        new io.micrometer.core.instrument.simple.SimpleMeterRegistry())
                    .await(10, SECONDS))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("cannot be read: no such file");
  }

  private KubeClient client(ApiLab lab) throws Exception {
    token(lab.server.token());
    Path kubeconfig =
        Files.writeString(
            directory.resolve("config"),
            lab.server.kubeconfig().replace("token: " + lab.server.token(), "tokenFile: token"));
    ApiAccess access = new ApiAccess(kubeconfig, null, Map.of(), directory, directory, null);
    return KubeClient.create(lab.vertx, FAST, access, lab.registry, clock).await(10, SECONDS);
  }

  private void token(String token) throws IOException {
    Files.writeString(directory.resolve("token"), token);
  }
}
