package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.Timestamps;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxNames;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The pods of an API server and the kubelets of their nodes, in virtual time. Checks with each
 * write that no pod changes hands without having been idle in between, and that what is said to run
 * does.
 */
final class SimulatedPods {
  /** How an image is known by its digest here: 64 times a digit made from its text. */
  static String digestOf(String image) {
    return "sha256:" + "%08x".formatted(image.hashCode()).repeat(8);
  }

  interface Watcher {
    void upserted(JsonNode pod);

    void deleted(String uid);
  }

  private final FakeLoop world;
  private final Random random;
  private final SandboxNames names = Pods.NAMES;
  private final Map<String, ObjectNode> pods = new LinkedHashMap<>();
  private final Map<String, Integer> swaps = new TreeMap<>();
  private String last = "";
  private List<Watcher> watchers = List.of();

  /** Who has which pod, by its UID, and did not give it back. */
  private final Map<String, String> holders = new HashMap<>();

  private long version;
  private int made;

  SimulatedPods(FakeLoop world, Random random) {
    this.world = world;
    this.random = random;
  }

  void watchedBy(List<Watcher> all) {
    watchers = all;
  }

  /** Who has which pod, by its UID; claimers write it. */
  Map<String, String> holders() {
    return holders;
  }

  /** Whether a pod is in the hands of this claim. */
  boolean serves(String uid, String id) {
    return pods.values().stream()
        .anyMatch(
            pod ->
                PodTree.uid(pod).equals(uid)
                    && PodTree.label(pod, names.id()).equals(id)
                    && !PodTree.label(pod, names.phase()).equals("stopping"));
  }

  List<ObjectNode> all() {
    return pods.values().stream().map(ObjectNode::deepCopy).toList();
  }

  ObjectNode get(String name) {
    ObjectNode pod = pods.get(name);
    if (pod == null) {
      throw failure(Kind.NOT_FOUND, 404);
    }
    return pod.deepCopy();
  }

  ObjectNode create(JsonNode given) {
    if (pods.containsKey(PodTree.name(given))) {
      throw failure(Kind.ALREADY_EXISTS, 409);
    }
    ObjectNode pod = given.deepCopy();
    ObjectNode metadata = (ObjectNode) pod.path("metadata");
    metadata.put("uid", "u" + ++made).put("creationTimestamp", Timestamps.format(world.instant()));
    pod.putObject("status").put("phase", "Pending");
    store(pod);
    world.setTimer(1 + random.nextInt(300), () -> swap(PodTree.name(pod), PodTree.uid(pod)));
    return pod.deepCopy();
  }

  ObjectNode update(JsonNode wanted) {
    String name = PodTree.name(wanted);
    ObjectNode current = get(name);
    if (PodTree.resourceVersion(current) != PodTree.resourceVersion(wanted)
        || !PodTree.uid(current).equals(PodTree.uid(wanted))) {
      throw failure(Kind.CONFLICT, 409);
    }
    ObjectNode next = wanted.deepCopy();
    next.set("status", current.path("status").deepCopy());
    check(current, next);
    store(next);
    boolean gone = PodTree.isDeleting(next) && !PodTree.hasFinalizer(next, names.finalizer());
    if (gone) {
      vanish(name);
    } else {
      swapLater(next);
    }
    return next.deepCopy();
  }

  void delete(String name, long expectedVersion) {
    ObjectNode pod = get(name);
    if (expectedVersion != 0 && PodTree.resourceVersion(pod) != expectedVersion) {
      throw failure(Kind.CONFLICT, 409);
    }
    if (PodTree.hasFinalizer(pod, names.finalizer())) {
      ((ObjectNode) pod.path("metadata"))
          .put("deletionTimestamp", Timestamps.format(world.instant()));
      store(pod);
    } else {
      vanish(name);
    }
  }

  private void vanish(String name) {
    ObjectNode pod = pods.remove(name);
    if (pod != null) {
      String uid = PodTree.uid(pod);
      holders.remove(uid);
      watchers.forEach(w -> w.deleted(uid));
    }
  }

  /** What must hold whoever writes. */
  private void check(ObjectNode before, ObjectNode after) {
    String from = PodTree.label(before, names.phase());
    String to = PodTree.label(after, names.phase());
    String had = PodTree.label(before, names.id());
    String has = PodTree.label(after, names.id());
    last = PodTree.name(after) + ": " + from + "/" + had + " -> " + to + "/" + has;
    if (!had.equals(has)) {
      boolean claimed = had.isEmpty() && from.equals("idle");
      boolean freed = has.isEmpty() && to.equals("idle");
      require(claimed || freed, "a pod changed hands");
    }
    if (!from.equals(to)) {
      boolean sameImage = PodTree.image(before, "main").equals(PodTree.image(after, "main"));
      require(
          switch (from + ">" + to) {
            case "running>idle" -> sameImage;
            case "idle>starting",
                "idle>running",
                "starting>running",
                "starting>stopping",
                "running>stopping",
                "stopping>idle" ->
                true;
            default -> false;
          },
          "no such transition");
      String state = Pods.state(after).path("phase").asText();
      require(
          state.equals(to.equals("starting") || to.equals("stopping") ? to : "completed"),
          "label and state contradict each other");
      if (to.equals("running") || from.equals("stopping")) {
        String runs = PodTree.status(after, "main").path("imageID").asText();
        require(
            runs.endsWith(digestOf(PodTree.image(after, "main"))),
            "it is said to run what it does not");
      }
    }
    if (to.equals("stopping") && !from.equals(to) || from.equals("running") && to.equals("idle")) {
      boolean failed =
          to.equals("idle") // at once, without a trace of why
              || !PodTree.annotation(after, names.failureReason()).isEmpty()
                  && !PodTree.annotation(after, names.failureReason()).equals("IdleTimeout");
      require(
          failed || !holders.containsKey(PodTree.uid(after)),
          "a pod was taken from who has it, " + PodTree.annotation(after, names.stopReason()));
      holders.remove(PodTree.uid(after));
    }
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new BrokenPool(what + ": " + last);
    }
  }

  /** An invariant does not hold. */
  static final class BrokenPool extends AssertionError {
    private static final long serialVersionUID = 1L;

    BrokenPool(String what) {
      super(what);
    }
  }

  // ---- kubelets

  /** The container dies and comes again, as after running out of memory. */
  void restart(String name) {
    ObjectNode pod = pods.get(name);
    if (pod != null && PodTree.status(pod, "main").isObject()) {
      ObjectNode next = pod.deepCopy();
      run(next, PodTree.image(next, "main"));
      store(next);
    }
  }

  /** The pod is over, for example evicted. */
  void fail(String name) {
    ObjectNode pod = pods.get(name);
    if (pod != null) {
      ObjectNode next = pod.deepCopy();
      ((ObjectNode) next.path("status")).put("phase", "Failed").putArray("conditions");
      store(next);
    }
  }

  private void swapLater(ObjectNode pod) {
    String runs = PodTree.status(pod, "main").path("imageID").asText();
    if (!runs.endsWith(digestOf(PodTree.image(pod, "main")))) {
      String name = PodTree.name(pod);
      String uid = PodTree.uid(pod);
      world.setTimer(1 + random.nextInt(60), () -> swap(name, uid));
    }
  }

  private void swap(String name, String uid) {
    ObjectNode pod = pods.get(name);
    if (pod == null
        || !PodTree.uid(pod).equals(uid)
        || PodTree.podPhase(pod).equals("Failed")
        || PodTree.status(pod, "main")
            .path("imageID")
            .asText()
            .endsWith(digestOf(PodTree.image(pod, "main")))) {
      return;
    }
    ObjectNode next = pod.deepCopy();
    run(next, PodTree.image(next, "main"));
    store(next);
  }

  private void run(ObjectNode pod, String image) {
    int attempt = swaps.merge(PodTree.uid(pod), 1, Integer::sum);
    ObjectNode status = (ObjectNode) pod.path("status");
    status.put("phase", "Running");
    status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    status
        .putArray("containerStatuses")
        .addObject()
        .put("name", "main")
        .put("imageID", "repo@" + digestOf(image))
        .put("containerID", PodTree.uid(pod) + "-" + attempt)
        .put("restartCount", attempt - 1);
  }

  private void store(ObjectNode pod) {
    ((ObjectNode) pod.path("metadata")).put("resourceVersion", "" + ++version);
    pods.put(PodTree.name(pod), pod);
    ObjectNode told = pod.deepCopy();
    watchers.forEach(w -> w.upserted(told));
  }

  static KubeException failure(Kind kind, int code) {
    return new KubeException(kind, code, "simulated", null, null);
  }
}
