package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fabric8 client with its defaults, watches over WebSockets, on the embedded API server. */
class Fabric8IT {
  private Vertx vertx;
  private EmbeddedApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    server = get(EmbeddedApiServer.start(vertx));
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(server.kubeconfig()))
            .build();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    get(server.stop());
    get(vertx.close());
  }

  private static ConfigMap map(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .addToData("a", "b")
        .build();
  }

  @Test
  void watchesTellOfCreationChangeAndDeletion() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    Watcher<ConfigMap> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, ConfigMap map) {
            events.add(action + " " + map.getMetadata().getName());
          }

          @Override
          public void onClose(WatcherException cause) {
            events.add("CLOSED " + cause);
          }
        };

    try (Watch watch = client.configMaps().inNamespace("default").watch(watcher)) {
      client.resource(map("m")).create();
      assertThat(take(events)).isEqualTo("ADDED m");
      client
          .configMaps()
          .inNamespace("default")
          .withName("m")
          .patch(TestCluster.MERGE, "{\"data\":{\"a\":\"c\"}}");
      assertThat(take(events)).isEqualTo("MODIFIED m");
      client.resource(map("m")).delete();
      assertThat(take(events)).isEqualTo("DELETED m");
    }
  }

  @Test
  void informersFollow() {
    client.resource(map("before")).create();
    try (var informer = client.configMaps().inNamespace("default").inform()) {
      client.resource(map("after")).create();
      await()
          .untilAsserted(
              () ->
                  assertThat(informer.getStore().list())
                      .extracting(found -> found.getMetadata().getName())
                      .contains("before", "after"));
    }
  }

  @Test
  void whatIsInvalidFailsWithItsReason() {
    ConfigMap bad = new ConfigMapBuilder(map("bad")).addToData("a b", "c").build();

    assertThatThrownBy(() -> client.resource(bad).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refused -> {
              assertThat(refused.getCode()).isEqualTo(422);
              assertThat(refused.getStatus().getDetails().getCauses().get(0).getField())
                  .isEqualTo("data[a b]");
            });
    assertThat(client.configMaps().inNamespace("default").list().getItems())
        .extracting(found -> found.getMetadata().getName())
        .doesNotContainAnyElementsOf(List.of("bad"));
  }
}
