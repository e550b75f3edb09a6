package dev.vertlet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.PodsSynced;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final Readiness readiness = new Readiness(Set.of("a"), false, "me");

  @Test
  void podsThatWereSyncedInAnEarlierTermOfTheLeaseDoNotCount() {
    readiness.on(new NodeRegistered("a", "uid-a"));
    readiness.on(new LeaseAcquired("a", 1));
    readiness.on(new PodsSynced(Set.of("a"), 1));
    assertThat(readiness.isReady()).isTrue();

    readiness.on(new LeaseLost("a", "held by b"));
    readiness.on(new LeaseAcquired("a", 2));
    readiness.on(new PodsSynced(Set.of("a"), 1));
    assertThat(readiness.isReady()).isFalse();

    readiness.on(new PodsSynced(Set.of("a"), 2));
    assertThat(readiness.isReady()).isTrue();
  }
}
