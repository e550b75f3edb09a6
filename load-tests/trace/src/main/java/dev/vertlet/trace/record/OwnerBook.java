package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.WorkloadRef;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows owner references from pods to the outermost recorded workload. */
final class OwnerBook {
  /** Kinds whose objects other recorded kinds make, so that their owner has to be looked up. */
  private static final Set<String> BETWEEN = Set.of("apps/ReplicaSet", "batch/Job");

  /** More owners than this above a pod would be a cycle. */
  private static final int MAX_DEPTH = 8;

  private final Set<String> kinds = new HashSet<>();
  private final Map<String, Entry> entries = new HashMap<>();

  /** A workload, and the reference to its controller. */
  private record Entry(WorkloadRef ref, @Nullable Controller controller, String template) {}

  /** A controller as an owner reference names it. */
  record Controller(WorkloadRef ref, String uid) {}

  /**
   * The owner of a pod.
   *
   * @param template distinguishes templates of the owner for pods without a hash among their labels
   */
  record Owner(WorkloadRef ref, String template) {}

  OwnerBook(List<WorkloadKind> recorded) {
    recorded.forEach(kind -> kinds.add(kind.group() + "/" + kind.kind()));
  }

  /** Returns the controller of an object; null for none. */
  static @Nullable Controller controller(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return new Controller(
            new WorkloadRef(
                owner.path("apiVersion").asText(),
                owner.path("kind").asText(),
                metadata.path("namespace").asText(),
                owner.path("name").asText()),
            owner.path("uid").asText());
      }
    }
    return null;
  }

  /** Returns whether objects of this kind are recorded. */
  boolean isRecorded(WorkloadRef ref) {
    return kinds.contains(groupKind(ref));
  }

  private static String groupKind(WorkloadRef ref) {
    int slash = ref.apiVersion().indexOf('/');
    return (slash < 0 ? "" : ref.apiVersion().substring(0, slash)) + "/" + ref.kind();
  }

  /**
   * Remembers a workload.
   *
   * @param template hash of its pod template
   */
  void seen(String uid, WorkloadRef ref, JsonNode object, String template) {
    entries.put(uid, new Entry(ref, controller(object), template));
  }

  void gone(String uid) {
    entries.remove(uid);
  }

  /**
   * Finds the outermost recorded owner.
   *
   * @return null while an owner between has not been seen
   */
  @Nullable Owner find(Controller controller) {
    Controller at = controller;
    String template = "";
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      Entry entry = entries.get(at.uid());
      if (entry == null) {
        return BETWEEN.contains(groupKind(at.ref())) ? null : new Owner(at.ref(), template);
      }
      if (template.isEmpty()) {
        template = entry.template();
      }
      Controller above = entry.controller();
      if (above == null || !isRecorded(above.ref())) {
        return new Owner(entry.ref(), template);
      }
      at = above;
    }
    return new Owner(at.ref(), template);
  }
}
