package dev.vertlet.trace;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * First line of a trace.
 *
 * @param started wall-clock time of offset 0
 * @param cluster identifies the recorded cluster without naming it; empty if unknown
 * @param namespaces to which the recording was limited; empty for all
 * @param kinds recorded workload kinds: {@code group/version.kind} ({@code v1.Pod} for the core
 *     group) to the JSON pointers of their pod templates in the object
 * @param anonymized whether names, images and labels were replaced
 */
public record TraceHeader(
    Instant started,
    String cluster,
    List<String> namespaces,
    Map<String, List<String>> kinds,
    boolean anonymized) {

  /** Value of {@code trace}: says that a file is one. */
  public static final String FORMAT = "vertlet";

  /** The version that is written, and the only one that is read. */
  public static final int VERSION = 1;

  public TraceHeader {
    namespaces = List.copyOf(namespaces);
    kinds = Map.copyOf(kinds);
  }
}
