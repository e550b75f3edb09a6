package dev.vertlet.harness.replay.plan;

import dev.vertlet.harness.replay.plan.PodTemplates.Annotation;
import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Makes the plan of a replay. For one recording; use once. */
public final class Planner {
  private final Recording recording;
  private final PlanOptions options;
  private final PodTemplates templates;
  private final NodeManifests nodes;
  private final Map<WorkloadRef, WorkloadState> states = new HashMap<>();
  private final List<Step.NodeJoins> first = new ArrayList<>();
  private final List<Step.Create> initial = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final Set<String> namespaces = new TreeSet<>();
  private final Set<String> skipped = new TreeSet<>();
  private final Set<WorkloadRef> left = new HashSet<>();
  private final List<String> notes = new ArrayList<>();

  /** Pods so far by namespace and name, which pods one after the other may share. */
  private final Map<String, Integer> names = new HashMap<>();

  private Planner(Recording recording, PlanOptions options) {
    this.recording = recording;
    this.options = options;
    this.templates = new PodTemplates(options.id());
    this.nodes = new NodeManifests(options.id());
  }

  public static ReplayPlan plan(Recording recording, PlanOptions options) {
    return new Planner(recording, options).plan();
  }

  private ReplayPlan plan() {
    states();
    options
        .nodes()
        .ifPresent(given -> given.forEach(node -> joins(new TraceEvent.NodeAdded(0, node))));
    for (TraceEvent event : recording.events()) {
      event(event);
    }
    if (options.controllers()) {
      cronRuns();
      if (options.nodes().isEmpty()) {
        steps.addAll(Drains.of(recording, options));
      }
    } else {
      pods();
    }
    steps.sort(Comparator.comparingLong(Step::at));
    if (!skipped.isEmpty()) {
      notes.add(
          "%,d Jobs had ended before the recording and are left out: %s"
              .formatted(skipped.size(), some(skipped)));
    }
    return new ReplayPlan(
        first,
        initial,
        steps,
        namespaces,
        PriorityClasses.of(creations()),
        options.due(recording.millis()),
        notes);
  }

  private static String some(Set<String> names) {
    List<String> few = names.stream().limit(3).toList();
    return String.join(", ", few) + (few.size() < names.size() ? ", …" : "");
  }

  private void states() {
    Set<WorkloadRef> pulled = new HashSet<>();
    for (PodLife life : recording.lives()) {
      if (life.containers().stream().anyMatch(Planner::pulled)) {
        pulled.add(life.identity().owner());
      }
    }
    List<WorkloadRef> workloads = recording.workloads();
    for (int i = 0; i < workloads.size(); i++) {
      WorkloadRef workload = workloads.get(i);
      String kind = workload.apiVersion() + "." + workload.kind();
      states.put(
          workload,
          new WorkloadState(
              workload,
              i,
              options.scale(),
              templates,
              recording.header().kinds().getOrDefault(kind, List.of()),
              pulled.contains(workload)));
    }
  }

  private static boolean pulled(ContainerLife container) {
    return container.pullMillis() != null && container.pullMillis() > 0;
  }

  private WorkloadState state(WorkloadRef workload) {
    WorkloadState state = states.get(workload);
    if (state == null) {
      throw new IllegalStateException(workload + " changes without having been added");
    }
    return state;
  }

  private void event(TraceEvent event) {
    boolean recordedNodes = options.nodes().isEmpty();
    if (event instanceof TraceEvent.NodeAdded added && recordedNodes) {
      joins(added);
    } else if (event instanceof TraceEvent.NodeChanged changed && recordedNodes) {
      changes(changed);
    } else if (event instanceof TraceEvent.NodeLeft gone && recordedNodes) {
      for (int copy = 0; copy < options.scale(); copy++) {
        steps.add(
            new Step.NodeLeaves(options.due(gone.at()), NodeManifests.copy(gone.name(), copy)));
      }
    } else if (event instanceof TraceEvent.Gap gap) {
      notes.add(
          "the recording has a gap from %s s to %s s%s"
              .formatted(
                  gap.from() / 1000.0,
                  gap.to() / 1000.0,
                  gap.resource() == null ? "" : " of " + gap.resource()));
    } else {
      workload(event);
    }
  }

  private void joins(TraceEvent.NodeAdded added) {
    for (int copy = 0; copy < options.scale(); copy++) {
      Step.NodeJoins joins =
          new Step.NodeJoins(options.due(added.at()), nodes.node(added.node(), copy));
      if (added.at() == 0) {
        first.add(joins);
      } else {
        steps.add(joins);
      }
    }
  }

  private void changes(TraceEvent.NodeChanged changed) {
    RecordedNode node = changed.node();
    for (int copy = 0; copy < options.scale(); copy++) {
      steps.add(
          new Step.NodeChanges(
              options.due(changed.at()),
              NodeManifests.copy(node.name(), copy),
              nodes.metadataAndSpec(node, copy),
              new JsonObject().put("status", NodeManifests.status(node))));
    }
  }

  private void workload(TraceEvent event) {
    if (event instanceof TraceEvent.WorkloadAdded added) {
      added(added);
    } else if (event instanceof TraceEvent.WorkloadChanged changed) {
      state(changed.workload()).learn(changed.object());
      change(changed.at(), changed.workload(), state(changed.workload()).changed(changed.object()));
    } else if (event instanceof TraceEvent.WorkloadScaled scaled) {
      change(scaled.at(), scaled.workload(), state(scaled.workload()).scaled(scaled.replicas()));
    } else if (event instanceof TraceEvent.WorkloadDeleted deleted
        && options.controllers()
        && !deleted.workload().isBarePod()
        && !left.contains(deleted.workload())) {
      steps.add(new Step.Delete(options.due(deleted.at()), deleted.workload()));
    }
  }

  private void change(long at, WorkloadRef workload, JsonObject patch) {
    if (options.controllers()
        && !workload.isBarePod()
        && !left.contains(workload)
        && !patch.isEmpty()) {
      steps.add(new Step.Change(options.due(at), workload, patch));
    }
  }

  private void added(TraceEvent.WorkloadAdded added) {
    WorkloadRef workload = added.workload();
    WorkloadState state = state(workload);
    state.learn(added.object());
    JsonObject object = state.created(added.object());
    if (!options.controllers() || workload.isBarePod()) {
      return;
    }
    if (state.isJob() && added.at() == 0) {
      List<PodLife> pods = livesOf(workload);
      if (pods.stream().noneMatch(Planner::alive)) {
        left.add(workload);
        skipped.add(workload.namespace() + "/" + workload.name());
        return;
      }
      WorkloadState.reduce(object, (int) pods.stream().filter(pod -> !alive(pod)).count());
    }
    left.remove(workload);
    namespaces.add(workload.namespace());
    create(added.at(), workload, object);
  }

  private void create(long at, WorkloadRef workload, JsonObject object) {
    Step.Create step = new Step.Create(options.due(at), workload, object);
    if (at <= 0) {
      initial.add(step);
    } else {
      steps.add(step);
    }
  }

  private List<Step> creations() {
    List<Step> all = new ArrayList<>(initial);
    all.addAll(steps);
    return all;
  }

  /** Whether a pod had not ended when the recording began. */
  private static boolean alive(PodLife life) {
    Long ended = life.times().ended();
    Long gone = life.times().gone();
    return !(ended != null && ended <= 0) && !(gone != null && gone <= 0);
  }

  private List<PodLife> livesOf(WorkloadRef workload) {
    return recording.lives().stream()
        .filter(life -> life.identity().owner().equals(workload))
        .toList();
  }

  /** Runs of CronJobs and, with controllers, the pods that no controller makes. */
  private void cronRuns() {
    for (WorkloadRef workload : recording.workloads()) {
      WorkloadState state = state(workload);
      if (state.isCronJob() && creations().stream().anyMatch(step -> creates(step, workload))) {
        for (CronRun run : CronRuns.of(workload, recording.lives())) {
          cronRun(state, run);
        }
      }
    }
    for (int i = 0; i < recording.lives().size(); i++) {
      if (recording.lives().get(i).identity().owner().isBarePod()) {
        pod(i);
      }
    }
  }

  private static boolean creates(Step step, WorkloadRef workload) {
    return step instanceof Step.Create create && create.workload().equals(workload);
  }

  private void cronRun(WorkloadState state, CronRun run) {
    if (run.before() || livesOf(run.cronJob()).stream().noneMatch(Planner::alive)) {
      return;
    }
    create(run.created(), run.job(), state.jobOf(run.name()));
    Long gone = run.gone();
    if (gone != null) {
      steps.add(new Step.Delete(options.due(gone), run.job()));
    }
  }

  /** All pods one by one, for a cluster without controllers. */
  private void pods() {
    for (int i = 0; i < recording.lives().size(); i++) {
      pod(i);
    }
  }

  private void pod(int position) {
    PodLife life = recording.lives().get(position);
    if (!alive(life)) {
      return;
    }
    String key = life.identity().namespace() + "/" + life.identity().name();
    int before = names.merge(key, 1, Integer::sum) - 1;
    for (int copy = 0; copy < options.scale(); copy++) {
      String name =
          NodeManifests.copy(life.identity().name(), copy) + (before == 0 ? "" : "-n" + before);
      WorkloadRef pod = new WorkloadRef("v1", "Pod", life.identity().namespace(), name);
      JsonObject object =
          state(life.identity().owner())
              .pod(
                  life.identity().template(),
                  new Annotation(ReplayLabels.LIFE, Integer.toString(position)));
      object
          .getJsonObject("metadata")
          .put("name", name)
          .put("namespace", life.identity().namespace());
      if (object.getJsonObject("spec").getJsonArray("containers") == null) {
        object.getJsonObject("spec").put("containers", PodLives.containers(life));
      }
      namespaces.add(life.identity().namespace());
      create(life.times().created(), pod, object);
      Long deleting = life.times().deleting();
      Long end = deleting == null ? life.times().gone() : deleting;
      if (end != null) {
        steps.add(new Step.Delete(options.due(end), pod));
      }
    }
  }
}
