package dev.vertlet.harness.load;

import dev.vertlet.harness.result.PhaseResult;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Counts the pods that became Ready and that went in each second. Not thread-safe. */
final class Timeline {
  private int[] ready = new int[64];
  private int[] gone = new int[64];
  private int seconds;

  void ready(int second) {
    reach(second);
    ready[second]++;
  }

  void gone(int second) {
    reach(second);
    gone[second]++;
  }

  private void reach(int second) {
    seconds = Math.max(seconds, second + 1);
    if (second >= ready.length) {
      ready = Arrays.copyOf(ready, 2 * second);
      gone = Arrays.copyOf(gone, 2 * second);
    }
  }

  List<PhaseResult.Second> seconds() {
    return IntStream.range(0, seconds)
        .mapToObj(second -> new PhaseResult.Second(ready[second], gone[second]))
        .toList();
  }
}
