package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.PodLabels;
import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.wire.ContainerMessages.Container;
import dev.vertlet.cri.wire.ContainerMessages.ContainerFilter;
import dev.vertlet.cri.wire.ContainerMessages.ContainerState;
import dev.vertlet.cri.wire.ContainerMessages.ListContainersRequest;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.SandboxMessages.PodSandbox;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxState;
import dev.vertlet.cri.wire.StatusMessages.VersionRequest;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists what the runtime has and brings the cache up to date. What was made while the runtime wrote
 * its list is not taken for lost. At most one list at a time: a request during one is answered by
 * the next. Confined to the shard's loop.
 */
public final class Relist {
  private final RuntimeService runtime;
  private final Sandboxes sandboxes;
  private final PodCache cache;
  private final Inspector inspector;
  private final PodMarks marks;
  private @Nullable Future<Void> current;
  private @Nullable Future<Void> next;
  private String stranger = "";
  private boolean done;

  public Relist(
      RuntimeService runtime,
      Sandboxes sandboxes,
      PodCache cache,
      Inspector inspector,
      PodMarks marks) {
    this.runtime = runtime;
    this.sandboxes = sandboxes;
    this.cache = cache;
    this.inspector = inspector;
    this.marks = marks;
  }

  /** Whether a list has succeeded. */
  public boolean done() {
    return done;
  }

  /**
   * Name of a running pod that another agent than those of this kind made: a kubelet uses the
   * runtime. Empty if there is none.
   */
  public String stranger() {
    return stranger;
  }

  /**
   * Lists once more.
   *
   * @return fails when the runtime cannot be asked: the cache then stays as it was
   */
  public Future<Void> run() {
    Future<Void> running = current;
    if (running == null) {
      return begin();
    }
    Future<Void> waiting = next;
    if (waiting == null) {
      waiting =
          running.transform(
              ended -> {
                next = null;
                return begin();
              });
      next = waiting;
    }
    return waiting;
  }

  private Future<Void> begin() {
    Future<Void> list = named().compose(named -> list()).onComplete(ended -> current = null);
    if (!list.isComplete()) {
      current = list;
    }
    return list;
  }

  /** Asks for the runtime's name, which is the scheme of ids, before the first list. */
  private Future<Void> named() {
    return cache.isNamed()
        ? Future.succeededFuture()
        : runtime
            .version(new VersionRequest("v1"))
            .onSuccess(version -> cache.scheme(version.runtimeName()))
            .mapEmpty();
  }

  private Future<Void> list() {
    long number = cache.beginRelist();
    Future<List<PodSandbox>> listed = sandboxes.list(Map.of());
    Future<List<Container>> containers =
        runtime
            .listContainers(
                new ListContainersRequest(new ContainerFilter("", null, "", marks.selector())))
            .map(answer -> answer.containers());
    return Future.all(listed, containers)
        .compose(
            both -> {
              findStranger(listed.result());
              return take(number, listed.result(), containers.result());
            })
        .onSuccess(taken -> done = true);
  }

  private void findStranger(List<PodSandbox> all) {
    stranger = "";
    for (PodSandbox sandbox : all) {
      PodRef pod = PodLabels.pod(sandbox.labels());
      if (pod != null
          && sandbox.state() == PodSandboxState.SANDBOX_READY
          && !sandbox.labels().containsKey(PodMarks.AGENT)) {
        stranger = pod.display();
      }
    }
  }

  private boolean own(Map<String, String> labels) {
    return marks.own(labels)
        && cache.serves(labels.get(PodMarks.NODE))
        && PodLabels.pod(labels) != null;
  }

  private Future<Void> take(long number, List<PodSandbox> sandboxList, List<Container> containers) {
    Map<String, List<PodSandbox>> byPod = new HashMap<>();
    for (PodSandbox sandbox : sandboxList) {
      if (own(sandbox.labels())) {
        byPod
            .computeIfAbsent(sandbox.labels().get(PodLabels.UID), uid -> new ArrayList<>())
            .add(sandbox);
      }
    }
    List<Future<Void>> asked = new ArrayList<>();
    Set<String> present = new HashSet<>();
    for (Container container : containers) {
      if (own(container.labels())) {
        present.add(container.id());
        asked.add(inspectIfChanged(container));
      }
    }
    List<Future<Void>> entered = new ArrayList<>();
    // the ends of containers are reported before that of their sandbox
    return Future.join(asked)
        .otherwiseEmpty()
        .compose(
            inspected -> {
              byPod.forEach((uid, own) -> entered.add(takeSandboxes(number, own)));
              return Future.join(entered).otherwiseEmpty();
            })
        .map(
            known -> {
              dropMissing(number, byPod.keySet(), present);
              return null;
            });
  }

  private Future<Void> inspectIfChanged(Container container) {
    PodRef ref = PodLabels.pod(container.labels());
    String node = container.labels().get(PodMarks.NODE);
    if (ref == null || node == null) {
      return Future.succeededFuture();
    }
    CachedPod pod = cache.pod(ref, node);
    CachedContainer known = pod.container(container.id());
    if (known != null && same(known, container.state())) {
      pod.put(known.seen(cache.relists()));
      return Future.succeededFuture();
    }
    return inspector.inspect(pod, container.id(), container.podSandboxId()).mapEmpty();
  }

  private static boolean same(CachedContainer known, ContainerState state) {
    return known.ended()
        || state == ContainerState.CONTAINER_RUNNING && known.record().state() instanceof Running
        || state == ContainerState.CONTAINER_EXITED && known.record().state() instanceof Terminated;
  }

  private Future<Void> takeSandboxes(long number, List<PodSandbox> listed) {
    PodSandbox first = listed.get(0);
    PodRef ref = PodLabels.pod(first.labels());
    String node = first.labels().get(PodMarks.NODE);
    if (ref == null || node == null) {
      return Future.succeededFuture();
    }
    CachedPod pod = cache.pod(ref, node);
    PodSandbox newest =
        listed.stream()
            .max(Comparator.comparingInt(Relist::attempt).thenComparing(PodSandbox::createdAt))
            .orElse(first);
    SandboxState current = pod.sandbox();
    pod.others(
        listed.stream()
            .map(
                sandbox ->
                    new SandboxState(
                        sandbox.id(), attempt(sandbox), false, sandbox.createdAt(), List.of()))
            .toList());
    boolean ready = newest.state() == PodSandboxState.SANDBOX_READY;
    if (current == null) {
      return ready && !pod.stopping() ? enter(pod, newest.id()) : Future.succeededFuture();
    }
    boolean listedReady =
        listed.stream()
            .anyMatch(
                sandbox ->
                    sandbox.id().equals(current.id())
                        && sandbox.state() == PodSandboxState.SANDBOX_READY);
    if (!listedReady && pod.sandboxSeen() < number) {
      cache.sandboxLost(pod);
    }
    return Future.succeededFuture();
  }

  private static int attempt(PodSandbox sandbox) {
    return sandbox.metadata() == null ? 0 : sandbox.metadata().attempt();
  }

  private Future<Void> enter(CachedPod pod, String id) {
    return sandboxes
        .state(id)
        .map(
            state -> {
              if (state.ready() && pod.sandbox() == null && !pod.stopping()) {
                cache.enter(pod, state);
              }
              return null;
            });
  }

  private void dropMissing(long number, Set<String> pods, Set<String> containers) {
    for (CachedPod pod : cache.pods()) {
      for (CachedContainer container : pod.containers()) {
        if (!containers.contains(container.id()) && container.seen() < number) {
          cache.lost(pod, container);
        }
      }
      if (!pods.contains(pod.ref().uid())) {
        if (pod.sandbox() != null && pod.sandboxSeen() < number) {
          cache.sandboxLost(pod);
        }
        pod.others(List.of());
        if (pod.sandbox() == null && pod.containers().isEmpty() && !pod.starting()) {
          cache.forget(pod);
        }
      }
    }
  }
}
