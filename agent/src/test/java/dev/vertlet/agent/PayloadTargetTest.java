package dev.vertlet.agent;

import static dev.vertlet.bus.Addresses.LEASE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseConfigured;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.Environment;
import dev.vertlet.config.Host;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.configsync.ConfigRefusedException;
import dev.vertlet.configsync.ConfigTarget.Change;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.payload.NodeConfigs;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PayloadTargetTest {
  private static final String HEADER =
      "{kind: KubeletConfiguration, apiVersion: kubelet.config.k8s.io/v1beta1, ";

  private final List<NodeConfigured> configured = new CopyOnWriteArrayList<>();
  private final List<LeaseConfigured> leases = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private NodeBook book;
  private PayloadTarget target;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    LoadedConfig loaded =
        new ConfigLoader(new Environment(Map.of(), Host.detect()))
            .parse("test", "{\"nodes\": [{\"name\": \"v{i}\", \"count\": 2}]}", List.of());
    Bus bus = Bus.install(vertx);
    bus.consume(NODE_CONFIGURED.shard(0), configured::add).completion().await(10, SECONDS);
    bus.consume(LEASE_CONFIGURED, leases::add).completion().await(10, SECONDS);
    book = NodeBook.local(loaded, DnsSettings.DEFAULTS);
    target =
        new PayloadTarget(
            new NodeConfigs(loaded),
            "v0",
            book,
            DnsSettings.DEFAULTS,
            bus,
            () -> ended.add("exit"));
  }

  private NodeBook.Entry load(String node, String fields) {
    return target.load(node, "source", (HEADER + fields + "}").getBytes(UTF_8), Path.of("/store"));
  }

  private String pods(String node) {
    return String.valueOf(book.config(node).node().spec().allocatable().get("pods"));
  }

  @Test
  void beforeAnybodyServesItIsWrittenDown() {
    Change change = target.apply("v1", load("v1", "maxPods: 7, cgroupDriver: x")).result();

    assertThat(pods("v1")).isEqualTo("7");
    assertThat(pods("v0")).isEqualTo("110");
    assertThat(change).isEqualTo(new Change(List.of(), List.of("/cgroupDriver")));
    assertThat(configured).isEmpty();
  }

  @Test
  void thoseWhomItConcernsAreTold() {
    target.running(new Shards(1));

    Change change =
        target.apply("v1", load("v1", "maxPods: 7, nodeLeaseDurationSeconds: 20")).result();

    assertThat(change.restarted()).containsExactly("lease");
    await().untilAsserted(() -> assertThat(configured).containsExactly(new NodeConfigured("v1")));
    await()
        .untilAsserted(
            () ->
                assertThat(leases)
                    .extracting(
                        LeaseConfigured::node,
                        LeaseConfigured::duration,
                        LeaseConfigured::renewInterval)
                    .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                            "v1", Duration.ofSeconds(20), Duration.ofSeconds(5))));
    target.apply("v1", null);
    assertThat(pods("v1")).isEqualTo("110");
    await().untilAsserted(() -> assertThat(leases).hasSize(2));
    assertThat(ended).isEmpty();
  }

  @Test
  void whatIsTheProcessesEndsItAndNothingElse() {
    target.running(new Shards(1));

    target.apply("v0", load("v0", "contentType: application/json, maxPods: 7"));

    assertThat(ended).containsExactly("exit");
    assertThat(pods("v0")).isEqualTo("110");
    target.apply("v1", load("v1", "contentType: application/json, maxPods: 7"));
    assertThat(ended).hasSize(1);
    assertThat(pods("v1")).isEqualTo("7");
  }

  /** A69. */
  @Test
  void thePortThatANodeHasChangesNothing() {
    target.running(new Shards(1));
    target.reachedAt(10_250);

    target.apply("v0", load("v0", "port: 10250"));
    assertThat(ended).isEmpty();

    target.apply("v0", load("v0", "port: 10999"));
    assertThat(ended).containsExactly("exit");
  }

  /** A13, A14: with the reasons that statuses tell apart. */
  @Test
  void whatCannotBeUsedIsRefusedByItsReason() {
    assertThatThrownBy(() -> load("v1", "maxPods: -1"))
        .isInstanceOf(ConfigRefusedException.class)
        .hasMessage("/maxPods: -1 must be at least 0");
    assertThatThrownBy(
            () -> target.load("v1", "source", "{0xdeadbeef}".getBytes(UTF_8), Path.of("/store")))
        .isInstanceOf(ConfigRefusedException.class);
    assertThat(pods("v1")).isEqualTo("110");
  }
}
