package dev.vertlet.content;

import dev.vertlet.content.file.PodDirectory;
import dev.vertlet.content.file.VolumeUsage;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ForwardingRuntime;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeUsage;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Gives a container runtime what it asks for: definitions, contents, mounts, credentials; and reads
 * the termination messages that its containers leave in files. Confined to the shard's loop, but
 * the runtime may report from any thread.
 */
public final class ContentRuntime extends ForwardingRuntime {
  private final VolumeManager contents;
  private final ContentStarts starts;

  /** The newest report of each pod that waits for a message. */
  private final Map<String, Future<?>> reports = new HashMap<>();

  /**
   * Wraps a runtime.
   *
   * @param contents of the runtime's pods
   */
  public ContentRuntime(ContainerRuntime runtime, VolumeManager contents) {
    super(runtime);
    this.contents = contents;
    this.starts = new ContentStarts(contents);
  }

  @Override
  public Future<Void> start(RuntimeListener listener) {
    return contents.input().hasContent() && !usesEnvironment()
        ? Future.failedFuture(
            new IllegalStateException(
                "a runtime with the input " + contents.input() + " must use environments"))
        : super.start(new Listening(listener));
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    return starts
        .sandbox(pod, attempt, null)
        .compose(super::runSandbox)
        .map(sandbox -> noted(pod, sandbox));
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt, SandboxConfig config) {
    return starts
        .sandbox(pod, attempt, config)
        .compose(super::runSandbox)
        .map(sandbox -> noted(pod, sandbox));
  }

  private SandboxRecord noted(PodView pod, SandboxRecord sandbox) {
    contents.services().loop().run(() -> contents.addressed(pod.uid(), sandbox.ips()));
    return sandbox;
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return startContainer(pod, container, attempt, imageId, Map.of());
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    RuntimeFeatures features = features();
    return starts
        .container(
            pod, container, attempt, imageId, environment, features.recursiveReadOnlyMounts())
        .compose(super::startContainer);
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    return contents.input().hasContent()
        ? starts
            .credentials(pod, container.image())
            .compose(
                all ->
                    all.isEmpty()
                        ? super.pull(pod, container, null)
                        : pull(pod, container, all, new ArrayList<>()))
        : super.pull(pod, container);
  }

  /** Tries one credential after the other, and tells the failures of all of them. */
  private Future<String> pull(
      PodView pod,
      ContainerView container,
      List<RegistryCredential> credentials,
      List<String> failures) {
    return super.pull(pod, container, credentials.get(0))
        .recover(
            failure -> {
              failures.add(String.valueOf(failure.getMessage()));
              List<RegistryCredential> others = credentials.subList(1, credentials.size());
              if (!others.isEmpty()) {
                return pull(pod, container, others, failures);
              }
              return Future.failedFuture(failures.size() == 1 ? failure : all(failures, failure));
            });
  }

  private static ProviderException all(List<String> failures, Throwable last) {
    return new ProviderException(
        ProviderException.kindOf(last),
        ProviderException.reasonOf(last, ""),
        "[" + String.join(", ", failures) + "]");
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    return super.removeSandbox(pod)
        .recover(
            failure ->
                ProviderException.kindOf(failure) == ProviderException.Kind.NOT_FOUND
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure))
        .compose(removed -> contents.services().loop().bring(Future.succeededFuture()))
        .compose(removed -> contents.ended(pod.uid()));
  }

  /** Completes after the container's end was reported, with its message. */
  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    return contents
        .services()
        .loop()
        .bring(super.stopContainer(pod, containerId, grace))
        .compose(
            stopped -> {
              Future<?> report = reports.get(pod.uid());
              return report == null ? Future.succeededFuture() : report.transform(done -> ok());
            });
  }

  private static Future<Void> ok() {
    return Future.succeededFuture();
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return contents
        .services()
        .loop()
        .bring(super.list())
        .compose(
            listed ->
                inOrder(listed.stream().map(this::withMessages).toList()).compose(this::orphaned));
  }

  /** Adds the pods that have nothing but a directory, so that they are ended if they are gone. */
  private Future<List<RuntimePod>> orphaned(List<RuntimePod> listed) {
    return contents
        .orphans()
        .map(
            orphans -> {
              List<RuntimePod> all = new ArrayList<>(listed);
              Set<String> known = new HashSet<>();
              listed.forEach(pod -> known.add(pod.pod().uid()));
              for (PodDirectory.Found orphan : orphans) {
                if (known.add(orphan.pod().uid())) {
                  all.add(new RuntimePod(orphan.pod(), orphan.node(), null, List.of()));
                }
              }
              return all;
            });
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    return contents
        .services()
        .loop()
        .bring(super.restore(pod))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(found)
                    : withMessages(found.get()).map(Optional::of));
  }

  /** Measures emptyDir volumes that the runtime does not measure. */
  @Override
  public Future<NodeUsage> usage(String node) {
    return contents
        .services()
        .loop()
        .bring(super.usage(node))
        .recover(this::nothingMeasured)
        .compose(usage -> contents.emptyDirs(node).map(pods -> VolumeUsage.completed(usage, pods)));
  }

  private Future<NodeUsage> nothingMeasured(Throwable failure) {
    boolean completes =
        contents.input() == PodInput.FILES
            && ProviderException.kindOf(failure) == ProviderException.Kind.UNSUPPORTED;
    return completes ? Future.succeededFuture(NodeUsage.NONE) : Future.failedFuture(failure);
  }

  /** A pod with content is kept up to date, and so never rests. */
  @Override
  public boolean rest(PodView pod) {
    return !contents.input().hasContent() && super.rest(pod);
  }

  @Override
  public Future<Void> release(String node) {
    contents.release(node);
    return super.release(node);
  }

  private static <T> Future<List<T>> inOrder(List<Future<T>> futures) {
    return Future.all(futures).map(done -> done.<T>list());
  }

  private Future<RuntimePod> withMessages(RuntimePod pod) {
    boolean none = pod.containers().stream().noneMatch(this::hasMessage);
    return none
        ? Future.succeededFuture(pod)
        : inOrder(pod.containers().stream().map(record -> withMessage(pod.pod(), record)).toList())
            .map(
                records ->
                    new RuntimePod(pod.pod(), pod.node(), pod.sandbox(), List.copyOf(records)));
  }

  private boolean hasMessage(ContainerRecord record) {
    return contents.input() == PodInput.FILES && record.state() instanceof Terminated;
  }

  /** Adds the message of the instance's file to the runtime's own, as a kubelet does. */
  private Future<ContainerRecord> withMessage(PodRef pod, ContainerRecord record) {
    if (!hasMessage(record) || !(record.state() instanceof Terminated end)) {
      return Future.succeededFuture(record);
    }
    return starts
        .message(pod.uid(), record)
        .map(
            said -> {
              if (said.isEmpty()) {
                return record;
              }
              String own = end.message() == null ? "" : end.message();
              return record.withState(end.withMessage(own.isEmpty() ? said : own + ": " + said));
            });
  }

  /** Reports ends with their messages, and everything of one pod in order. */
  private final class Listening implements RuntimeListener {
    private final RuntimeListener listener;

    Listening(RuntimeListener listener) {
      this.listener = listener;
    }

    @Override
    public void containerChanged(PodRef pod, ContainerRecord container) {
      contents.services().loop().run(() -> changed(pod, container));
    }

    private void changed(PodRef pod, ContainerRecord container) {
      if (!reports.containsKey(pod.uid()) && !hasMessage(container)) {
        listener.containerChanged(pod, container);
        return;
      }
      report(
          pod,
          before ->
              before
                  .transform(done -> withMessage(pod, container))
                  .onSuccess(whole -> listener.containerChanged(pod, whole))
                  .onFailure(failure -> listener.containerChanged(pod, container)));
    }

    private void lost(PodRef pod) {
      report(pod, before -> before.onComplete(done -> listener.sandboxLost(pod)));
    }

    /** Makes a report after the earlier ones of its pod. */
    private void report(PodRef pod, UnaryOperator<Future<?>> made) {
      Future<?> report = made.apply(reports.getOrDefault(pod.uid(), ok()));
      if (!report.isComplete()) {
        reports.put(pod.uid(), report);
        report.onComplete(done -> reports.remove(pod.uid(), report));
      }
    }

    @Override
    public void sandboxLost(PodRef pod) {
      contents.services().loop().run(() -> lost(pod));
    }

    @Override
    public void nodeChanged(String node) {
      listener.nodeChanged(node);
    }

    @Override
    public void systemOutOfMemory(String node, String process, int pid) {
      listener.systemOutOfMemory(node, process, pid);
    }
  }
}
