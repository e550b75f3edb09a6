package dev.vertlet.harness.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Watches all pods of a namespace by itself and keeps every version it sees. It outlives restarts
 * of the API server: it lists anew and goes on. Versions that came and went meanwhile are not seen,
 * only what they left behind.
 *
 * <p>Written by the watch's thread and read by the test's, hence the monitor.
 */
public final class PodRecorder implements AutoCloseable {
  private final Map<String, List<PodObservation>> observations = new LinkedHashMap<>();
  private final Set<String> gone = new HashSet<>();
  private final SharedIndexInformer<Pod> informer;

  private PodRecorder(KubernetesClient client, String namespace) {
    this.informer = client.pods().inNamespace(namespace).runnableInformer(0);
    informer.addEventHandler(new Handler()).exceptionHandler((started, error) -> true);
  }

  /** Starts to record; returns when the pods there are have been seen. */
  public static PodRecorder start(KubernetesClient client, String namespace) {
    PodRecorder recorder = new PodRecorder(client, namespace);
    recorder.informer.start().toCompletableFuture().join();
    return recorder;
  }

  /** What happened to each pod, by UID, in the order in which they appeared. */
  public synchronized Map<String, PodHistory> histories() {
    Map<String, PodHistory> copy = new LinkedHashMap<>();
    observations.forEach((uid, seen) -> copy.put(uid, new PodHistory(seen, gone.contains(uid))));
    return copy;
  }

  /** UIDs of the pods that are Ready. */
  public Set<String> ready() {
    return present(PodObservation::ready);
  }

  /** UIDs of the pods that are there. */
  public Set<String> present() {
    return present(seen -> true);
  }

  /** UIDs of the pods that are there and whose newest version is such. */
  public Set<String> present(Predicate<PodObservation> wanted) {
    return uids(history -> !history.gone() && wanted.test(history.last()));
  }

  /** UIDs of the pods that are gone. */
  public Set<String> gone() {
    return uids(PodHistory::gone);
  }

  private Set<String> uids(Predicate<PodHistory> wanted) {
    return histories().entrySet().stream()
        .filter(entry -> wanted.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Containers started more than once, as sentences; see {@link PodHistory}. */
  public List<String> startedTwice() {
    return violations(PodHistory::startedTwice);
  }

  /** Losses of Ready without a cause, as sentences; see {@link PodHistory}. */
  public List<String> readyFlaps() {
    return violations(PodHistory::readyFlaps);
  }

  /** Phases that went back, as sentences; see {@link PodHistory}. */
  public List<String> phaseReversals() {
    return violations(PodHistory::phaseReversals);
  }

  /** All of the above: what no pod may suffer from any fault. */
  public List<String> violations() {
    List<String> all = new ArrayList<>(startedTwice());
    all.addAll(readyFlaps());
    all.addAll(phaseReversals());
    return all;
  }

  private List<String> violations(Function<PodHistory, List<String>> kind) {
    return histories().values().stream().flatMap(history -> kind.apply(history).stream()).toList();
  }

  private synchronized void seen(Pod pod) {
    PodObservation now = PodObservation.of(pod);
    List<PodObservation> before = observations.computeIfAbsent(now.uid(), uid -> new ArrayList<>());
    boolean repeated =
        !before.isEmpty()
            && before.get(before.size() - 1).resourceVersion().equals(now.resourceVersion());
    if (!repeated) {
      before.add(now);
    }
  }

  private synchronized void vanished(Pod pod) {
    gone.add(pod.getMetadata().getUid());
  }

  @Override
  public void close() {
    informer.close();
  }

  private final class Handler implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      seen(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod after) {
      if (!before.getMetadata().getUid().equals(after.getMetadata().getUid())) {
        vanished(before); // deleted and created again by that name within a gap of the watch
      }
      seen(after);
    }

    @Override
    public void onDelete(Pod pod, boolean lastVersionUnknown) {
      seen(pod);
      vanished(pod);
    }
  }
}
