package dev.vertlet.events;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.LogLines;
import dev.vertlet.testsupport.ManualClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

  /** How many events may wait in these tests. */
  private static final int MAX_WAITING = 200;

  private final ManualClock clock = new ManualClock();
  private volatile EventLimit limit = EventLimit.DEFAULTS;
  @AutoClose private final FakeCluster cluster = FakeCluster.start();

  @BeforeEach
  void start() {
    cluster.deploy(
        new EventVerticle(
            node -> limit, cluster.kube(), cluster.bus(), cluster.env(clock), MAX_WAITING));
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
  void anEventThatRepeatsAfterALongTimeIsCountedInItsObjectToo() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    clock.advance(Duration.ofMinutes(11));
    tell(PULLED);
    eventually(() -> assertThat(events().get(0).path("count").asInt()).isEqualTo(2));
    assertThat(events()).hasSize(1);
  }

  @Test
  void anEventObjectThatExpiredIsMadeAgain() {
    tell(PULLED);
    eventually(() -> assertThat(events()).hasSize(1));
    String first = events().get(0).at("/metadata/name").asText();
    cluster.delete("events", "default", first);
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
    cluster.delete("events", "default", first);
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
    assertThat(dropped("failed")).isZero();
  }

  @Test
  void nothingElseWaitsWhenTheServerRefusesEvents() {
    cluster.faults().on("create", "events").forbid();
    tellOfPods(200);
    cluster.settle();
    eventually(() -> assertThat(dropped("failed")).isEqualTo(200));
    cluster.faults().clear();
    tell(STARTING);
    eventually(() -> assertThat(events()).hasSize(1));
  }

  @Test
  void nothingElseWaitsWhenTheServerDoesNotAnswerEvents() {
    Fault fault = cluster.faults().on("create", "events").hang();
    tellOfPods(200);
    eventually(() -> assertThat(fault.hits()).isPositive());
    cluster.settle();
    assertThat(fault.hits()).isLessThanOrEqualTo(8);
  }

  @Test
  void theOldestEventsThatWaitGoWhenTheyAreTooMany() {
    Fault fault = cluster.faults().on("create", "events").hang();
    try (LogLines log = LogLines.of(EventVerticle.class)) {
      tellOfPods(8 + MAX_WAITING + 2);
      eventually(() -> assertThat(dropped("overflow")).isEqualTo(2));
      eventually(() -> assertThat(fault.hits()).isEqualTo(8));
      assertThat(log.messages())
          .containsExactly("API server accepts events too slowly; dropping the oldest");

      cluster.faults().clear();
      get(cluster.server().cutConnections());

      eventually(() -> assertThat(events()).hasSize(8 + MAX_WAITING));
      assertThat(events())
          .extracting(event -> event.at("/involvedObject/name").asText())
          .doesNotContain("pod-8", "pod-9")
          .contains("pod-0", "pod-7", "pod-10", "pod-209");
      assertThat(log.messages()).hasSize(2).contains("events are no longer dropped");
      assertThat(log.withKey("dropped")).containsExactly("2");
      assertThat(dropped("overflow")).isEqualTo(2);
    }
  }

  @Test
  void aCountDoesNotOvertakeTheMakingOfItsObject() {
    Fault fault = cluster.faults().on("create", "events").hang();
    for (int i = 0; i < 3; i++) {
      tell(PULLED);
    }
    tell(STARTING);
    eventually(() -> assertThat(fault.hits()).isEqualTo(2));
    cluster.settle();
    assertThat(cluster.server().count("patch", "events")).isZero();

    cluster.faults().clear();
    get(cluster.server().cutConnections());

    eventually(
        () ->
            assertThat(shown())
                .containsExactlyInAnyOrder("3 Successfully pulled image", "1 Starting."));
    assertThat(cluster.server().count("patch", "events")).isEqualTo(2);
  }

  /** As a kubelet, which writes one event after the other. */
  @Test
  void eventsAboutOneObjectAreWrittenInTheirOrderAndHoldUpNoOthers() {
    Fault slow = cluster.faults().on("create", "events").once().hang();
    for (String reason : List.of("Scheduled", "Pulled", "Created", "Started")) {
      tell(about("a", reason));
    }
    for (String reason : List.of("Pulled", "Created", "Started")) {
      tell(about("b", reason));
    }

    eventually(() -> assertThat(written()).containsExactly("b Pulled", "b Created", "b Started"));
    assertThat(slow.hits()).isEqualTo(1);

    cluster.faults().clear();
    get(cluster.server().cutConnections());

    eventually(
        () ->
            assertThat(written())
                .endsWith("a Scheduled", "a Pulled", "a Created", "a Started")
                .hasSize(7));
  }

  @Test
  void anEventThatIsTriedAgainComesBeforeThoseThatFollowIt() {
    cluster.faults().on("create", "events").times(2).respond(500, "InternalError");
    for (String reason : List.of("Pulled", "Created", "Started")) {
      tell(about("a", reason));
    }

    eventually(() -> assertThat(written()).containsExactly("a Pulled", "a Created", "a Started"));
  }

  private static ObjectEvent about(String pod, String reason) {
    return new ObjectEvent(
        "Pod", "default", pod, "uid-" + pod, "", "Normal", reason, reason, "node");
  }

  /** Pod and reason of each event, in the order in which the API server took them. */
  private List<String> written() {
    return events().stream()
        .sorted(Comparator.comparingLong(event -> event.at("/metadata/resourceVersion").asLong()))
        .map(
            event ->
                event.at("/involvedObject/name").asText() + " " + event.path("reason").asText())
        .toList();
  }

  @Test
  void similarEventsBecomeOneThatShowsTheLast() {
    for (int i = 0; i < 12; i++) {
      tell(message("message " + i));
    }
    tell(STARTING);
    eventually(
        () ->
            assertThat(shown())
                .contains(
                    "1 message 8", "3 (combined from similar events): message 11", "1 Starting.")
                .hasSize(11));
  }

  @Test
  void ofTooManyEventsAboutOneObjectTheRestIsCounted() {
    for (int i = 0; i < 30; i++) {
      tell(message("again"));
    }
    tell(STARTING);
    eventually(() -> assertThat(shown()).containsExactlyInAnyOrder("25 again", "1 Starting."));
    assertThat(dropped("spam")).isEqualTo(5);

    clock.advance(Duration.ofMinutes(5));
    tell(message("again"));

    eventually(() -> assertThat(shown()).containsExactlyInAnyOrder("31 again", "1 Starting."));
  }

  private static ObjectEvent message(String text) {
    return new ObjectEvent(
        "Pod", "default", "a", "uid-a", "", ObjectEvent.WARNING, "Unhealthy", text, "node");
  }

  /** An event about each of so many pods. */
  @Test
  void aNodeTellsNoMoreThanItMay() {
    limit = new EventLimit(1, 2);

    tellOfPods(5);

    eventually(() -> assertThat(events()).hasSize(2));
    clock.advance(Duration.ofSeconds(1));
    eventually(() -> assertThat(events()).hasSize(3));
    limit = EventLimit.DEFAULTS;
    tell(STARTING);
    eventually(() -> assertThat(events()).as("what waited, and this one").hasSize(6));
    assertThat(dropped("overflow")).isZero();
  }

  @Test
  void ofWhatANodeMayNotTellTheOldestIsDropped() {
    limit = new EventLimit(1, 1);

    tellOfPods(MAX_WAITING + 3);

    eventually(() -> assertThat(dropped("overflow")).isEqualTo(2));
    limit = EventLimit.DEFAULTS;
    tell(STARTING);
    eventually(() -> assertThat(events()).hasSize(MAX_WAITING + 2));
  }

  private void tellOfPods(int count) {
    for (int i = 0; i < count; i++) {
      tell(
          new ObjectEvent(
              "Pod", "default", "pod-" + i, "uid-" + i, "", "Normal", "Pulled", "", "node"));
    }
  }

  /** Count and message of each event. */
  private List<String> shown() {
    return events().stream()
        .map(event -> event.path("count").asInt() + " " + event.path("message").asText())
        .toList();
  }

  private void tell(ObjectEvent event) {
    cluster.bus().send(OBJECT_EVENT, event);
  }

  private List<ObjectNode> events() {
    return get(cluster.objects().list("events", ""));
  }

  private double dropped(String reason) {
    return cluster
        .metrics()
        .get("vertlet_events_dropped_total")
        .tag("reason", reason)
        .counter()
        .count();
  }
}
