package dev.vertlet.apiserver.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.control.TestCluster;
import dev.vertlet.apiserver.registry.DeleteOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventExpiryTest {
  private static final Duration TTL = Duration.ofHours(1);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final TestCluster cluster = new TestCluster();

  private void start() {
    new EventExpiry(cluster.cluster(), TTL).start();
  }

  private void event(String name) {
    cluster.create(
        "events",
        "{'metadata':{'name':'%s'},'involvedObject':{'namespace':'default'},'reason':'%s'}"
            .formatted(name, name));
  }

  @Test
  void anEventGoesWhenItsTimeIsOver() {
    start();
    event("first");
    cluster.advance(TTL.minus(MOMENT));
    event("second");
    assertThat(cluster.eventReasons()).containsExactly("first", "second");

    cluster.advance(MOMENT);

    assertThat(cluster.eventReasons()).containsExactly("second");
    cluster.advance(TTL);
    assertThat(cluster.eventReasons()).isEmpty();
  }

  @Test
  void aWriteBeginsTheTimeAnew() {
    start();
    event("again");
    cluster.advance(TTL.minus(MOMENT));
    cluster.edit("events", "again", event -> event.put("count", 2));

    cluster.advance(TTL.minus(MOMENT));
    assertThat(cluster.eventReasons()).containsExactly("again");

    cluster.advance(MOMENT);
    assertThat(cluster.eventReasons()).isEmpty();
  }

  @Test
  void eventsThatAreThereAtTheStartGoToo() {
    event("old");
    start();

    cluster.advance(TTL);

    assertThat(cluster.eventReasons()).isEmpty();
  }

  @Test
  void theTimeOfADeletedEventDoesNotCountForItsSuccessor() {
    start();
    event("same");
    cluster.delete("events", "same", DeleteOptions.DEFAULT);
    cluster.advance(MOMENT);
    event("same");

    cluster.advance(TTL.minus(MOMENT));

    assertThat(cluster.eventReasons()).containsExactly("same");
  }
}
