package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.WorkloadRef;
import dev.vertlet.trace.record.sanitize.Sanitizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pods that live. A pod that is gone is forgotten as soon as its life is written. */
final class PodBook {
  /** Labels by which controllers tell pods of one template from those of another. */
  private static final List<String> TEMPLATE_LABELS =
      List.of("pod-template-hash", "controller-revision-hash");

  private static final List<String> INDEX_LABELS = List.of("apps.kubernetes.io/pod-index");
  private static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String MIRROR = "kubernetes.io/config.mirror";

  private final Timeline time;
  private final Sanitizer sanitizer;
  private final OwnerBook owners;
  private final WorkloadBook workloads;
  private final TemplateNumbers templates;

  /** By id. */
  private final Map<String, PodState> pods = new HashMap<>();

  /** By namespace and name in the trace. */
  private final Map<String, PodState> byName = new HashMap<>();

  private final Set<String> unseen = new HashSet<>();

  PodBook(
      Timeline time,
      Sanitizer sanitizer,
      OwnerBook owners,
      WorkloadBook workloads,
      TemplateNumbers templates) {
    this.time = time;
    this.sanitizer = sanitizer;
    this.owners = owners;
    this.workloads = workloads;
    this.templates = templates;
  }

  int size() {
    return pods.size();
  }

  void restore(PodLife life) {
    PodIdentity identity = life.identity();
    templates.taken(identity.owner(), identity.template());
    PodState before = pods.remove(identity.id());
    if (before != null) {
      forget(before);
    }
    unseen.remove(identity.id());
    if (life.times().gone() == null) {
      put(PodState.restored(life));
      templates.podJoined(identity.owner());
      unseen.add(identity.id());
    }
  }

  private void put(PodState state) {
    pods.put(state.id, state);
    byName.put(key(state), state);
  }

  private static String key(PodState state) {
    return state.namespace + "/" + state.name;
  }

  void seen(String uid, JsonNode pod) {
    OwnerBook.Controller controller = OwnerBook.controller(pod);
    JsonNode metadata = pod.path("metadata");
    if (metadata.path("annotations").has(MIRROR)
        || controller != null && controller.ref().kind().equals("Node")) {
      // a static pod is its node's matter: no scheduler and no controller sees to it
      return;
    }
    boolean bare = controller == null || !owners.isRecorded(controller.ref());
    String id = Timeline.digest(uid);
    PodState state = pods.get(id);
    if (state == null) {
      state =
          new PodState(
              id,
              sanitizer.name(metadata.path("namespace").asText()),
              sanitizer.name(metadata.path("name").asText()));
      state.index = index(metadata);
      put(state);
    }
    if (unseen.remove(id) && state.identity != null) {
      restoreTemplate(state.identity, metadata, bare ? null : controller);
    }
    if (state.identity == null) {
      state.templateLabel = templateLabel(metadata);
      state.controller = bare ? null : controller;
    }
    if (bare) {
      workloads.seen(uid, pod(metadata), pod);
    }
    PodState.Change change = state.observed(pod, sanitizer, time);
    if (change == PodState.Change.MILESTONE) {
      write(state);
    }
  }

  private static WorkloadRef pod(JsonNode metadata) {
    return new WorkloadRef(
        "v1", "Pod", metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  private void restoreTemplate(
      PodIdentity identity, JsonNode metadata, OwnerBook.@Nullable Controller controller) {
    OwnerBook.Owner owner = controller == null ? null : owners.find(controller);
    String label = templateLabel(metadata);
    String key = label.isEmpty() && owner != null ? owner.template() : label;
    templates.restore(identity.owner(), key, identity.template());
  }

  private static String templateLabel(JsonNode metadata) {
    JsonNode labels = metadata.path("labels");
    return TEMPLATE_LABELS.stream()
        .map(label -> labels.path(label).asText())
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static @Nullable Integer index(JsonNode metadata) {
    for (String label : INDEX_LABELS) {
      Integer index = number(metadata.path("labels").path(label));
      if (index != null) {
        return index;
      }
    }
    return number(metadata.path("annotations").path(COMPLETION_INDEX));
  }

  private static @Nullable Integer number(JsonNode text) {
    String value = text.asText();
    return value.matches("[0-9]{1,9}") ? Integer.valueOf(value) : null;
  }

  void gone(String uid) {
    PodState state = pods.get(Timeline.digest(uid));
    workloads.gone(uid);
    if (state != null) {
      ended(state);
    }
  }

  private void ended(PodState state) {
    state.gone(time.now());
    write(state);
    pods.remove(state.id);
    forget(state);
  }

  private void forget(PodState state) {
    byName.remove(key(state), state);
    if (state.identity != null) {
      templates.podLeft(state.identity.owner());
    }
  }

  /** Ends restored pods that the cluster has no more. */
  void synced() {
    for (String id : List.copyOf(unseen)) {
      PodState state = pods.get(id);
      if (state != null) {
        ended(state);
      }
    }
    unseen.clear();
  }

  /** Writes pods that have changed since they were written. */
  void checkpoint() {
    for (PodState state : pods.values()) {
      if (state.dirty && identity(state) != null) {
        write(state);
      }
    }
  }

  /** Writes pods of which the trace lacks anything. */
  void end() {
    for (PodState state : pods.values()) {
      if (state.dirty || state.hasUsage()) {
        write(state);
      }
    }
  }

  private void write(PodState state) {
    PodIdentity identity = identity(state);
    if (identity == null && state.controller != null) {
      // its owner came and went unseen: the nearest one that is known by name
      identity = identify(state, state.controller.ref(), state.templateLabel);
      state.identity = identity;
    }
    if (identity != null) {
      time.emit(new PodLived(time.now(), state.life(identity)));
    }
  }

  private @Nullable PodIdentity identity(PodState state) {
    if (state.identity != null) {
      return state.identity;
    }
    OwnerBook.Controller controller = state.controller;
    if (controller == null) {
      WorkloadRef self = new WorkloadRef("v1", "Pod", state.namespace, state.name);
      state.identity = new PodIdentity(state.id, state.namespace, state.name, self, 0, state.index);
      templates.podJoined(self);
      return state.identity;
    }
    OwnerBook.Owner owner = owners.find(controller);
    if (owner == null) {
      return null;
    }
    state.controller = null;
    state.identity =
        identify(
            state,
            owner.ref(),
            state.templateLabel.isEmpty() ? owner.template() : state.templateLabel);
    return state.identity;
  }

  private PodIdentity identify(PodState state, WorkloadRef owner, String template) {
    WorkloadRef shown = sanitizer.ref(owner);
    templates.podJoined(shown);
    return new PodIdentity(
        state.id, state.namespace, state.name, shown, templates.of(shown, template), state.index);
  }

  /** Finds a pod by its UID. */
  @Nullable PodState find(String uid) {
    return pods.get(Timeline.digest(uid));
  }

  /** Finds a pod by its names in the cluster. */
  @Nullable PodState find(String namespace, String name) {
    return byName.get(sanitizer.name(namespace) + "/" + sanitizer.name(name));
  }
}
