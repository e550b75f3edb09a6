package dev.vertlet.harness.replay;

import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.trace.RecordedNode;
import java.util.List;
import java.util.Optional;

/**
 * Options of a replay.
 *
 * @param name of the replay in reports
 * @param trace name of the recording in reports
 * @param speed recorded time per real time, {@value #SLOWEST} to {@value #FASTEST}
 * @param scale how many pods and nodes are made of one, 1 to {@value #LARGEST}
 * @param nodes that are there all the time in place of the recorded ones; empty for those
 * @param arguments command-line arguments, for the report
 */
public record ReplayOptions(
    Target target,
    String name,
    String trace,
    double speed,
    int scale,
    Optional<List<RecordedNode>> nodes,
    List<String> arguments) {
  public static final double SLOWEST = 0.01;
  public static final double FASTEST = 1_000;
  public static final int LARGEST = 1_000;

  public ReplayOptions {
    arguments = List.copyOf(arguments);
  }
}
