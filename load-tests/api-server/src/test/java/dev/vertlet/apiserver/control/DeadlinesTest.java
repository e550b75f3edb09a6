package dev.vertlet.apiserver.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private final ManualTime time = new ManualTime();
  private final List<String> served = new ArrayList<>();
  private final Deadlines<String> deadlines = new Deadlines<>(time, time, this::serve);

  private void serve(String key) {
    served.add(key);
    if (key.startsWith("bad")) {
      throw new IllegalStateException("cannot serve " + key);
    }
  }

  private void putIn(int seconds, String key) {
    deadlines.put(key, time.instant().plusSeconds(seconds));
  }

  @Test
  void servesKeysInTheOrderOfTheirTimes() {
    putIn(2, "later");
    putIn(1, "first");
    putIn(1, "second");
    putIn(3, "moved");
    putIn(1, "removed");
    putIn(2, "moved");
    deadlines.remove("removed");

    time.advance(Duration.ofSeconds(1));
    assertThat(served).containsExactly("first", "second");

    time.advance(Duration.ofSeconds(1));
    assertThat(served).containsExactly("first", "second", "later", "moved");
  }

  @Test
  void aKeyThatFailsHoldsUpNoOther() {
    putIn(1, "bad");
    putIn(1, "due with it");
    putIn(2, "later");

    time.advance(Duration.ofSeconds(2));

    assertThat(served).containsExactly("bad", "due with it", "later");
    assertThat(deadlines.contains("bad")).isFalse();
  }
}
