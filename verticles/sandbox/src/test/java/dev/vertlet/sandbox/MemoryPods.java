package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An API server's pods, with scripted refusals of updates. */
final class MemoryPods implements PodApi {
  final List<String> requests = new ArrayList<>();
  final Deque<KubeException> refusals = new ArrayDeque<>();
  private final Map<String, ObjectNode> pods = new LinkedHashMap<>();
  private long version = 1;

  MemoryPods store(ObjectNode pod) {
    pods.put(PodTree.name(pod), pod.deepCopy());
    return this;
  }

  ObjectNode stored(String name) {
    ObjectNode pod = pods.get(name);
    if (pod == null) {
      throw new AssertionError("no pod " + name);
    }
    return pod.deepCopy();
  }

  void conflicts(int times) {
    for (int i = 0; i < times; i++) {
      refusals.add(failure(Kind.CONFLICT, 409));
    }
  }

  long writes() {
    return requests.stream().filter("update"::equals).count();
  }

  long reads() {
    return requests.stream().filter("get"::equals).count();
  }

  static KubeException failure(Kind kind, int code) {
    return new KubeException(kind, code, "scripted", null, null);
  }

  @Override
  public Future<ObjectNode> get(String namespace, String name) {
    requests.add("get");
    return pods.containsKey(name)
        ? Future.succeededFuture(stored(name))
        : Future.failedFuture(failure(Kind.NOT_FOUND, 404));
  }

  @Override
  public Future<ObjectNode> update(JsonNode pod) {
    requests.add("update");
    KubeException refused = refusals.poll();
    if (refused != null) {
      return Future.failedFuture(refused);
    }
    ObjectNode stored = pod.deepCopy();
    ((ObjectNode) stored.path("metadata")).put("resourceVersion", "" + ++version);
    return Future.succeededFuture(store(stored).stored(PodTree.name(pod)));
  }

  @Override
  public Future<ObjectNode> patch(String namespace, String name, ObjectNode patch) {
    requests.add("patch");
    KubeException refused = refusals.poll();
    if (refused != null) {
      return Future.failedFuture(refused);
    }
    if (!pods.containsKey(name)) {
      return Future.failedFuture(failure(Kind.NOT_FOUND, 404));
    }
    ObjectNode current = stored(name);
    ObjectNode next = Pods.patched(current, patch);
    if (PodTree.resourceVersion(current) != PodTree.resourceVersion(next)) {
      return Future.failedFuture(failure(Kind.CONFLICT, 409));
    }
    ((ObjectNode) next.path("metadata")).put("resourceVersion", "" + ++version);
    return Future.succeededFuture(store(next).stored(name));
  }

  @Override
  public Future<ObjectNode> create(String namespace, JsonNode pod) {
    return Future.failedFuture(failure(Kind.FORBIDDEN, 403));
  }

  @Override
  public Future<Void> delete(JsonNode pod) {
    return Future.failedFuture(failure(Kind.FORBIDDEN, 403));
  }
}
