package dev.vertlet.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.testing.LogLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes of events that name nothing. */
class RuntimeEventsTest {
  private final List<String> nodes = new ArrayList<>();

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
              })
          .doesNotThrowAnyException();
      assertThat(lines.messages()).hasSize(1);
    }
    assertThat(nodes).isEmpty();
  }

  @Test
  void aNodeIsPassedOn() {
    events().nodeChanged("node-1");

    assertThat(nodes).containsExactly("node-1");
  }

  @SuppressWarnings("NullAway") // no pod is known, so none is driven
  private RuntimeEvents events() {
    CoreLoop loop = new FakeLoop();
    return new RuntimeEvents(loop, null, new HashMap<>(), nodes::add);
  }
}
