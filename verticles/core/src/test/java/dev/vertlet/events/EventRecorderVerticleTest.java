package dev.vertlet.events;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.testing.FakeCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EventRecorderVerticleTest {
  @AutoClose private final FakeCluster cluster = FakeCluster.start();

  private static ObjectEvent event(String reason) {
    return new ObjectEvent("Node", "", "a", "a", "", ObjectEvent.NORMAL, reason, "", "a");
  }

  @Test
  void anEventThatTheRecorderFailsToTakeDelaysNoOther() {
    List<String> recorded = new CopyOnWriteArrayList<>();
    cluster.deploy(
        new EventRecorderVerticle(
            event -> {
              if (event.reason().equals("Bad")) {
                throw new IllegalStateException("broken");
              }
              recorded.add(event.reason());
            },
            cluster.bus()));

    cluster.publish(OBJECT_EVENT, event("Bad"));
    cluster.publish(OBJECT_EVENT, event("Good"));

    eventually(() -> assertThat(recorded).containsExactly("Good"));
    assertThat(cluster.writes("events")).isZero();
  }
}
