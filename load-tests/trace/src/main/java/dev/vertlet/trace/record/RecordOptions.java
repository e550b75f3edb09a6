package dev.vertlet.trace.record;

import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What is recorded where.
 *
 * @param namespaces empty for all
 * @param kinds workload kinds besides the built-in ones
 */
record RecordOptions(
    Path file, List<String> namespaces, List<WorkloadKind> kinds, boolean anonymize) {
  RecordOptions {
    namespaces = namespaces.stream().distinct().sorted().toList();
    kinds = List.copyOf(kinds);
  }

  /** Returns the built-in kinds and those that were named. */
  List<WorkloadKind> allKinds() {
    List<WorkloadKind> all = new ArrayList<>(WorkloadKind.BUILT_IN);
    all.addAll(kinds);
    return all;
  }

  /** Returns the namespaces in which a resource is read; an empty name for all at once. */
  List<String> scopes(WatchedResource resource) {
    return resource.api().namespaced() && !namespaces.isEmpty() ? namespaces : List.of("");
  }

  /** Returns the header of a new trace. */
  TraceHeader header(Instant started, String cluster, Anonymizer names) {
    return new TraceHeader(
        started,
        cluster,
        namespaces.stream().map(names::name).toList(),
        WorkloadKind.byKey(allKinds()),
        anonymize);
  }
}
