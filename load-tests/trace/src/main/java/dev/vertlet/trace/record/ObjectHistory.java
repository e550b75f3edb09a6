package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns whole objects of another recorder into events of a trace, by the same allow-list and with
 * the same distinction of scalings as a recording. Confined to one thread.
 */
public final class ObjectHistory {
  private static final WorkloadKind POD = new WorkloadKind("v1", "Pod", List.of("/spec"), false);

  private final Map<String, WorkloadKind> kinds = new HashMap<>();
  private final Recording recording;

  /**
   * @param templates JSON pointers of the pod templates of kinds, {@code group/version.kind}, that
   *     are not built in
   * @param out receives events whose offsets never decrease
   */
  public ObjectHistory(
      Map<String, List<String>> templates, Instant started, Consumer<TraceEvent> out) {
    WorkloadKind.BUILT_IN.forEach(kind -> kinds.put(kind.key(), kind));
    kinds.put(POD.key(), POD);
    templates.forEach(
        (key, paths) -> {
          int dot = key.lastIndexOf('.');
          kinds.putIfAbsent(
              key, new WorkloadKind(key.substring(0, dot), key.substring(dot + 1), paths, true));
        });
    List<WorkloadKind> owners = new ArrayList<>(kinds.values());
    owners.remove(POD);
    recording = new Recording(Anonymizer.NONE, owners, started, out);
    recording.synced(started);
  }

  /** Returns the kinds that are understood with their templates, as a trace's header has them. */
  public Map<String, List<String>> kinds() {
    Map<String, List<String>> all = WorkloadKind.byKey(List.copyOf(kinds.values()));
    all.remove(POD.key());
    return all;
  }

  /**
   * An object was created or changed.
   *
   * @return false for a kind that is neither built in nor has templates: nothing is recorded then
   */
  public boolean applied(JsonNode object, Instant when) {
    WorkloadKind kind = kind(object);
    if (kind == null) {
      return false;
    }
    recording.workload(kind, key(object), object, when);
    return true;
  }

  /** An object was deleted. */
  public void deleted(JsonNode object, Instant when) {
    recording.workloadGone(key(object), when);
  }

  private @Nullable WorkloadKind kind(JsonNode object) {
    return kinds.get(object.path("apiVersion").asText() + "." + object.path("kind").asText());
  }

  private static String key(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return String.join(
        "/",
        object.path("apiVersion").asText(),
        object.path("kind").asText(),
        metadata.path("namespace").asText(),
        metadata.path("name").asText());
  }
}
