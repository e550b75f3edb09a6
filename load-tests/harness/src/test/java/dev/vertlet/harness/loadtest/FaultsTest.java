package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.scenario.ScheduledFault.CutWatches;
import dev.vertlet.harness.scenario.ScheduledFault.Errors;
import dev.vertlet.harness.scenario.ScheduledFault.Freeze;
import dev.vertlet.harness.scenario.ScheduledFault.Kind;
import dev.vertlet.harness.scenario.ScheduledFault.Latency;
import dev.vertlet.harness.scenario.ScheduledFault.Refuse;
import dev.vertlet.harness.scenario.ScheduledFault.RestartApiServer;
import dev.vertlet.harness.scenario.ScheduledFault.RestartSubject;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static Kind errors(String verb, String resource, double share) {
    return new Errors(503, Duration.ZERO, verb, resource, share, LONG);
  }

  @Test
  void anOutageLeavesTheSubjectNoApiServerAtAll() {
    assertThat(
            Stream.of(
                new Refuse(LONG),
                new Freeze(LONG),
                new RestartApiServer(LONG),
                errors("*", "*", 1)))
        .allMatch(Faults::isOutage);
    assertThat(
            Stream.of(
                new CutWatches(),
                new Latency(LONG, "*", "*", 1, LONG),
                new RestartSubject(LONG, false),
                errors("patch", "*", 1),
                errors("*", "pods/status", 1),
                errors("*", "*", 0.5)))
        .noneMatch(Faults::isOutage);
  }
}
