package dev.vertlet.events;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testing.FakeCluster.eventually;
import static dev.vertlet.testing.FakeCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.ManualClock;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class EventVerticleTest {
  private static final ObjectEvent PULLED =
      new ObjectEvent(
          "Pod",
          "default",
          "a",
          "uid-a",
          "spec.containers{main}",
          ObjectEvent.NORMAL,
          "Pulled",
          "Successfully pulled image",
          "node");

  private static final ObjectEvent STARTING =
      new ObjectEvent(
          "Node", "", "node", "node", "", ObjectEvent.NORMAL, "Starting", "Starting.", "node");

  private final ManualClock clock = new ManualClock();
  private FakeCluster cluster;

  @BeforeEach
  void start(Vertx vertx) {
    cluster = FakeCluster.start(vertx);
    cluster.deploy(
        new EventVerticle(cluster.kube(), cluster.bus(), clock, new Random(1), cluster.metrics()));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void anEventHasTheFieldsThatDescribeShows() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    JsonNode event = events().get(0);
    assertThat(event.path("type").asText()).isEqualTo("Normal");
    assertThat(event.path("reason").asText()).isEqualTo("Pulled");
    assertThat(event.path("message").asText()).isEqualTo("Successfully pulled image");
    assertThat(event.at("/source/component").asText()).isEqualTo("kubelet");
    assertThat(event.at("/source/host").asText()).isEqualTo("node");
    assertThat(event.path("firstTimestamp").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(event.path("lastTimestamp").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(event.path("count").asInt()).isEqualTo(1);
    JsonNode about = event.path("involvedObject");
    assertThat(about.path("kind").asText()).isEqualTo("Pod");
    assertThat(about.path("name").asText()).isEqualTo("a");
    assertThat(about.path("uid").asText()).isEqualTo("uid-a");
    assertThat(about.path("fieldPath").asText()).isEqualTo("spec.containers{main}");
  }

  @Test
  void anEventOfANodeLivesInTheDefaultNamespace() {
    tell(STARTING);
    eventually(() -> assertThat(events()).hasSize(1));
    assertThat(events().get(0).at("/involvedObject/kind").asText()).isEqualTo("Node");
    assertThat(events().get(0).at("/involvedObject").has("namespace")).isFalse();
  }

  @Test
  void anEventThatRepeatsIsCountedInItsObject() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    clock.advance(Duration.ofMinutes(1));
    tell(PULLED);
    eventually(() -> assertThat(events().get(0).path("count").asInt()).isEqualTo(2));
    assertThat(events()).hasSize(1);
    assertThat(events().get(0).path("firstTimestamp").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(events().get(0).path("lastTimestamp").asText()).isEqualTo("2026-01-01T00:01:00Z");
    assertThat(cluster.server().count("patch", "events")).isEqualTo(1);
  }

  @Test
  void anEventThatRepeatsAfterALongTimeIsANewOne() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    clock.advance(Duration.ofMinutes(11));
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(2));
  }

  @Test
  void anEventObjectThatExpiredIsMadeAgain() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    String first = events().get(0).at("/metadata/name").asText();
    get(cluster.objects().delete("events", "default", first));
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    assertThat(events().get(0).at("/metadata/name").asText()).isNotEqualTo(first);
    assertThat(events().get(0).path("count").asInt()).isEqualTo(1);
  }

  @Test
  void repetitionsOfAnExpiredEventShareOneNewObject() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    String first = events().get(0).at("/metadata/name").asText();
    get(cluster.objects().delete("events", "default", first));
    cluster.faults().on("patch", "events").times(3).delay(Duration.ofMillis(50));
    for (int i = 0; i < 3; i++) {
      tell(PULLED);
    }
    eventually(() -> assertThat(events()).hasSize(1));
    eventually(() -> assertThat(events().get(0).path("count").asInt()).isEqualTo(3));
    assertThat(events()).hasSize(1);
  }

  @Test
  void aFailureThatPassesIsTriedAgain() {
    Fault fault = cluster.faults().on("create", "events").times(2).respond(500, "InternalError");
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    assertThat(fault.hits()).isEqualTo(2);
    assertThat(dropped()).isZero();
  }

  @Test
  void nothingElseWaitsWhenTheServerRefusesEvents() {
    cluster.faults().on("create", "events").forbid();
    for (int i = 0; i < 200; i++) {
      tell(
          new ObjectEvent(
              "Pod", "default", "pod-" + i, "uid-" + i, "", "Normal", "Pulled", "", "node"));
    }
    cluster.settle();
    eventually(() -> assertThat(dropped()).isEqualTo(200));
    cluster.faults().clear();
    tell(STARTING);
    eventually(() -> assertThat(events()).hasSize(1));
  }

  @Test
  void nothingElseWaitsWhenTheServerDoesNotAnswerEvents() {
    Fault fault = cluster.faults().on("create", "events").hang();
    for (int i = 0; i < 200; i++) {
      tell(
          new ObjectEvent(
              "Pod", "default", "pod-" + i, "uid-" + i, "", "Normal", "Pulled", "", "node"));
    }
    eventually(() -> assertThat(fault.hits()).isPositive());
    cluster.settle();
    assertThat(fault.hits()).isLessThanOrEqualTo(8);
  }

  private void tell(ObjectEvent event) {
    cluster.bus().send(OBJECT_EVENT, event);
  }

  private List<ObjectNode> events() {
    return get(cluster.objects().list("events", ""));
  }

  private double dropped() {
    return cluster.metrics().counter("vertlet.events.dropped").count();
  }
}
