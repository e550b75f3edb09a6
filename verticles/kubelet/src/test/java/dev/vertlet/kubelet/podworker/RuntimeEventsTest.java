package dev.vertlet.kubelet.podworker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.testing.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes of events that name nothing. */
class RuntimeEventsTest {
  private final List<String> nodes = new ArrayList<>();
  private final List<ObjectEvent> told = new ArrayList<>();

  @Test
  @SuppressWarnings("NullAway") // a runtime that breaks the contract
  void whatNamesNothingIsIgnoredAndToldOnce() {
    RuntimeEvents events = events();
    try (LogLines lines = LogLines.of(RuntimeEvents.class)) {
      assertThatCode(
              () -> {
                events.sandboxLost(null);
                events.sandboxLost(new PodRef("default", "web", null));
                events.containerChanged(null, null);
                events.containerChanged(new PodRef("default", "web", "1"), null);
                events.nodeChanged(null);
                events.systemOutOfMemory(null, "java", 7);
                events.systemOutOfMemory("node-1", null, 7);
              })
          .doesNotThrowAnyException();
      assertThat(lines.messages()).hasSize(1);
    }
    assertThat(nodes).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void aNodeIsPassedOn() {
    events().nodeChanged("node-1");

    assertThat(nodes).containsExactly("node-1");
  }

  /** Kubelet §1, OOMWatcher: of what belongs to no container only the node tells. */
  @Test
  @Tag("C21")
  void c21ANodeThatRunsOutOfMemorySaysSo() {
    RuntimeEvents events = events();

    events.systemOutOfMemory("node-1", "java", 4711);
    events.systemOutOfMemory("node-1", "", 0);
    events.systemOutOfMemory("node-1", "java", 0);

    assertThat(told)
        .extracting(ObjectEvent::message)
        .containsExactly(
            "System OOM encountered, victim process: java, pid: 4711",
            "System OOM encountered",
            "System OOM encountered");
    assertThat(told)
        .allSatisfy(
            event -> {
              assertThat(event.kind()).isEqualTo("Node");
              assertThat(event.name()).isEqualTo("node-1");
              assertThat(event.type()).isEqualTo(ObjectEvent.WARNING);
              assertThat(event.reason()).isEqualTo("SystemOOM");
            });
  }

  @SuppressWarnings("NullAway") // no pod is known, so none is driven
  private RuntimeEvents events() {
    CoreLoop loop = new FakeLoop();
    return new RuntimeEvents(loop, null, new PodStates(), nodes::add, told::add);
  }
}
