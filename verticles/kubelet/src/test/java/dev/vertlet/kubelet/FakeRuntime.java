package dev.vertlet.kubelet;

import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Containers in memory. A test scripts calls by kind ({@code pull c}, {@code start c}, {@code
 * sandbox p}, {@code stop c}, {@code remove p}): each scripted answer is used once, in order. Rules
 * that no runtime call may break are collected in {@link #violations}.
 */
public final class FakeRuntime implements ContainerRuntime {
  public final Map<String, FakePod> pods = new LinkedHashMap<>();
  final List<String> calls = new ArrayList<>();
  public final List<String> violations = new ArrayList<>();
  public final Set<String> images = new HashSet<>();
  final Map<String, Integer> starts = new HashMap<>();

  /** The newest attempt of each container, also of one that is lost. */
  private final Map<String, Integer> attempts = new HashMap<>();

  /** Containers that ignore TERM. */
  final Set<String> stubborn = new HashSet<>();

  private final Map<String, List<Supplier<Future<?>>>> scripts = new HashMap<>();
  private final FakeLoop loop;
  private RuntimeListener listener = new Deaf();

  /** Exit code of a container that was asked to end. */
  int termExit = 143;

  boolean silent;

  /** As whom it starts containers; null for a runtime that does not say. */
  @Nullable ContainerUserView user;

  /** What it says of the network of its pods. */
  Supplier<Future<Void>> network = Future::succeededFuture;

  /** Whether it looks at environments, which are then in {@link #environments}. */
  boolean usesEnvironment;

  /** Kinds of volumes that it does not mount. */
  final Set<String> unmountable = new HashSet<>();

  /** What the node and its pods use; null for a runtime that measures nothing. */
  @Nullable NodeUsage usage;

  int usageReads;

  private UnaryOperator<NodeSpec> description = UnaryOperator.identity();

  /** The newest one of each container. */
  final Map<String, Map<String, String>> environments = new HashMap<>();

  /** What the newest sandbox of each pod was made of, by the pod's name. */
  final Map<String, SandboxConfig> sandboxes = new HashMap<>();

  /** The newest one of each container that was started with an environment. */
  final Map<String, CommandView> commands = new HashMap<>();

  /** What its containers are reached by. */
  PodStreams streams = PodStreams.NONE;

  public FakeRuntime(FakeLoop loop) {
    this.loop = loop;
  }

  private static final class Deaf implements RuntimeListener {
    @Override
    public void containerChanged(PodRef pod, ContainerRecord container) {}

    @Override
    public void sandboxLost(PodRef pod) {}
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  /** The node has something else now. */
  void becomes(String node, UnaryOperator<NodeSpec> completed) {
    description = completed;
    listener.nodeChanged(node);
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return description.apply(spec);
  }

  /** The next call of this kind answers so. */
  public void script(String call, Supplier<Future<?>> answer) {
    scripts.computeIfAbsent(call, k -> new ArrayList<>()).add(answer);
  }

  public void fail(String call, Throwable failure) {
    script(call, () -> Future.failedFuture(failure));
  }

  /** The next call of this kind answers only when the promise is completed, and does nothing. */
  public Promise<Object> hang(String call) {
    Promise<Object> promise = Promise.promise();
    script(call, promise::future);
    return promise;
  }

  @SuppressWarnings("unchecked")
  private <T> @Nullable Future<T> scripted(String call) {
    calls.add(call);
    List<Supplier<Future<?>>> answers = scripts.get(call);
    return answers == null || answers.isEmpty() ? null : (Future<T>) answers.remove(0).get();
  }

  private <T> Future<T> answer(String call, Supplier<T> otherwise) {
    Future<T> scripted = scripted(call);
    if (scripted != null) {
      return scripted;
    }
    Chaos.Fate fate = chaos.fate(call);
    if (fate == Chaos.Fate.FAIL) {
      return Future.failedFuture("chaos");
    }
    if (fate == Chaos.Fate.WORK) {
      return Future.succeededFuture(otherwise.get());
    }
    Promise<T> late = Promise.promise();
    hung.add(() -> settle(late, otherwise));
    return late.future();
  }

  private static <T> void settle(Promise<T> late, Supplier<T> work) {
    try {
      late.complete(work.get());
    } catch (IllegalStateException e) {
      late.fail(e);
    }
  }

  /** Lets one of the calls that hang do its work and answer. */
  void release(int index) {
    late(hung.remove(index));
  }

  private void late(Runnable call) {
    late = true;
    call.run();
    late = false;
  }

  /** A call does its work that was made long ago, perhaps by an agent that is gone. */
  private boolean late;

  /** Each of the calls that hang does its work or never will, as {@code dice} says. */
  void forgetCalls(BooleanSupplier dice) {
    for (Runnable call : List.copyOf(hung)) {
      if (dice.getAsBoolean()) {
        late(call);
      }
    }
    hung.clear();
  }

  /** What becomes of calls, beyond what a test scripts. */
  interface Chaos {
    enum Fate {
      WORK,
      FAIL,
      HANG
    }

    Fate fate(String call);
  }

  Chaos chaos = call -> Chaos.Fate.WORK;
  final List<Runnable> hung = new ArrayList<>();

  /** Pods that were reported as finished: nothing may be started for them any more. */
  final Set<String> finished = new HashSet<>();

  @Override
  public Future<Void> start(RuntimeListener told) {
    listener = told;
    resting.clear(); // a core that was just started let nothing rest
    return Future.succeededFuture();
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    refuseFinished(pod, "sandbox");
    return answer("sandbox " + pod.name(), () -> makeSandbox(pod, attempt));
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt, SandboxConfig config) {
    sandboxes.put(pod.name(), config);
    return runSandbox(pod, attempt);
  }

  private void refuseFinished(PodView pod, String call) {
    if (finished.contains(pod.uid())) {
      violations.add(call + " after the end of " + pod.name());
    }
  }

  private SandboxRecord makeSandbox(PodView pod, int attempt) {
    FakePod held = pods.computeIfAbsent(pod.uid(), uid -> new FakePod(pod.ref(), pod.nodeName()));
    if (held.sandbox == null) {
      List<String> addresses =
          pod.spec().hostNetwork() ? List.of() : List.of("10.0.0." + loop.nextAddress());
      held.sandbox = new SandboxRecord("sb-" + loop.nextId(), attempt, addresses);
    }
    return held.sandbox;
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    return answer("remove " + pod.name(), () -> pods.remove(pod.uid())).mapEmpty();
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return answer(
        "image " + image,
        () -> images.contains(image) ? Optional.of("id-" + image) : Optional.empty());
  }

  /** Bytes of each image, whose id is {@code id-} and its name; null: it lists no images. */
  public @Nullable Map<String, Long> imageSizes;

  @Override
  public Future<List<ImageRecord>> images(String node) {
    Map<String, Long> sizes = imageSizes;
    return sizes == null
        ? ContainerRuntime.super.images(node)
        : answer(
            "images",
            () ->
                sizes.entrySet().stream()
                    .filter(one -> images.contains(one.getKey()))
                    .map(
                        one ->
                            new ImageRecord(
                                "id-" + one.getKey(), List.of(one.getKey()), one.getValue()))
                    .toList());
  }

  @Override
  public Future<Long> imageSize(String node, String imageId) {
    Map<String, Long> sizes = imageSizes;
    return sizes == null
        ? ContainerRuntime.super.imageSize(node, imageId)
        : answer("size " + imageId, () -> sizes.getOrDefault(imageId.substring(3), 0L));
  }

  @Override
  public Future<Void> removeImage(String node, String imageId) {
    return answer("rmi " + imageId, () -> images.remove(imageId.substring(3))).mapEmpty();
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    return answer(
        "pull " + container.name(),
        () -> {
          images.add(container.image());
          return "id-" + container.image();
        });
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    refuseFinished(pod, "start");
    FakePod held = pods.get(pod.uid());
    SandboxRecord within = held == null ? null : held.sandbox;
    return answer(
        "start " + container.name(),
        () -> {
          FakePod now = pods.get(pod.uid());
          if (late && (now == null || !Objects.equals(now.sandbox, within))) {
            throw new IllegalStateException("the sandbox it was to start in is gone");
          }
          return makeContainer(pod, container, attempt, imageId);
        });
  }

  @Override
  public boolean mounts(String volumeKind) {
    return !unmountable.contains(volumeKind);
  }

  @Override
  public boolean usesEnvironment() {
    return usesEnvironment;
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    environments.put(container.name(), environment);
    commands.put(container.name(), container.command());
    return startContainer(pod, container, attempt, imageId);
  }

  ContainerRecord makeContainer(PodView pod, ContainerView container, int attempt, String imageId) {
    FakePod held = pods.get(pod.uid());
    if (held == null || held.sandbox == null) {
      throw new IllegalStateException("no sandbox for " + container.name());
    }
    ContainerRecord before = held.newest.get(container.name());
    String key = pod.uid() + "/" + container.name();
    int newest = attempts.merge(key, attempt, Math::max);
    if (late && before == null && newest >= attempt && starts.containsKey(key)) {
      throw new IllegalStateException("it was started before, and lost");
    }
    if (before != null && late && before.attempt() == attempt) {
      return before; // a start is idempotent per attempt
    }
    if (before != null && late && before.attempt() > attempt) {
      throw new IllegalStateException("not the newest attempt");
    }
    if (before != null && before.running()) {
      violations.add("two instances of " + pod.name() + "/" + container.name());
    }
    if (before != null && before.attempt() >= attempt) {
      violations.add("attempt " + attempt + " after " + before.attempt());
    }
    if (before != null) {
      held.former.add(before);
    }
    starts.merge(pod.uid() + "/" + container.name(), 1, Integer::sum);
    ContainerRecord record =
        new ContainerRecord(
            "fake://" + loop.nextId(),
            container.name(),
            attempt,
            container.image(),
            imageId,
            new Running(loop.instant()),
            null,
            null,
            user);
    held.newest.put(container.name(), record);
    tell(held, record);
    return record;
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    FakePod held = pods.get(pod.uid());
    ContainerRecord record = held == null ? null : held.byId(containerId);
    String name = record == null ? "gone" : record.name();
    Future<Void> scripted = scripted("stop " + name + " " + grace.toMillis());
    if (scripted != null) {
      return scripted;
    }
    if (held == null || record == null || !record.running()) {
      return Future.succeededFuture();
    }
    Chaos.Fate fate = chaos.fate("stop");
    if (fate != Chaos.Fate.WORK) {
      return fate == Chaos.Fate.FAIL
          ? Future.failedFuture("chaos")
          : Promise.<Void>promise().future();
    }
    if (!stubborn.contains(name)) {
      exit(pod, name, termExit);
      return Future.succeededFuture();
    }
    Promise<Void> ended = Promise.promise();
    loop.setTimer(
        grace.toMillis(),
        () -> {
          ContainerRecord now = held.byId(containerId);
          if (now != null && now.running()) {
            exit(pod, name, 137);
          }
          ended.complete();
        });
    return ended.future();
  }

  /** Whether it resizes containers that run; {@link #given} is what it gave them. */
  boolean resizes = true;

  /** The newest one of each container. */
  final Map<String, ResourcesView> given = new LinkedHashMap<>();

  @Override
  public boolean resizesContainers() {
    return resizes;
  }

  @Override
  public Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    ResourcesView next = container.resources();
    String call =
        "resize "
            + container.name()
            + " cpu "
            + next.limits().getOrDefault("cpu", next.requests().getOrDefault("cpu", "-"))
            + " memory "
            + next.limits().getOrDefault("memory", next.requests().getOrDefault("memory", "-"));
    return answer(call, () -> given.put(container.name(), next)).mapEmpty();
  }

  @Override
  public Future<Void> removeContainer(PodRef pod, String containerId) {
    FakePod held = pods.get(pod.uid());
    ContainerRecord newest = held == null ? null : held.byId(containerId);
    if (newest != null) {
      violations.add("removal of the newest instance of " + pod.name() + "/" + newest.name());
    }
    return answer(
            "rm " + containerId,
            () -> held != null && held.former.removeIf(one -> one.id().equals(containerId)))
        .mapEmpty();
  }

  /** A container ends by itself. */
  public void exit(PodRef pod, String name, int code) {
    exit(pod, name, code, code == 0 ? "Completed" : "Error");
  }

  /** A container fails and leaves a message. */
  void exitSaying(PodRef pod, String name, String message) {
    exit(pod, name, 1, "Error", message);
  }

  void exit(PodRef pod, String name, int code, String reason) {
    exit(pod, name, code, reason, null);
  }

  private void exit(PodRef pod, String name, int code, String reason, @Nullable String message) {
    change(
        pod,
        name,
        old ->
            new ContainerRecord(
                old.id(),
                old.name(),
                old.attempt(),
                old.image(),
                old.imageId(),
                new Terminated(code, 0, reason, message, startOf(old), loop.instant(), old.id()),
                null,
                null,
                old.user()));
  }

  /** The runtime's own checks change their mind. */
  ContainerRecord health(
      PodRef pod, String name, @Nullable Boolean started, @Nullable Boolean ready) {
    return change(
        pod,
        name,
        old ->
            new ContainerRecord(
                old.id(),
                old.name(),
                old.attempt(),
                old.image(),
                old.imageId(),
                old.state(),
                started,
                ready));
  }

  private static @Nullable Instant startOf(ContainerRecord record) {
    return record.state() instanceof Running running ? running.startedAt() : null;
  }

  private ContainerRecord change(
      PodRef pod, String name, Function<ContainerRecord, ContainerRecord> change) {
    FakePod held = pods.get(pod.uid());
    ContainerRecord old = held == null ? null : held.newest.get(name);
    if (held == null || old == null) {
      throw new IllegalStateException("no container " + name + " of " + pod.display());
    }
    ContainerRecord made = change.apply(old);
    held.newest.put(name, made);
    tell(held, made);
    return made;
  }

  private void tell(FakePod held, ContainerRecord record) {
    if (!silent) {
      listener.containerChanged(held.ref, record);
    }
  }

  /** Tells the listener whatever the test wants. */
  void say(PodRef pod, ContainerRecord record) {
    listener.containerChanged(pod, record);
  }

  void loseSandbox(PodRef pod) {
    pods.remove(pod.uid());
    if (!silent) {
      listener.sandboxLost(pod);
    }
  }

  /** Removes a container without a trace. */
  void lose(PodRef pod, String name) {
    FakePod held = pods.get(pod.uid());
    if (held != null) {
      held.newest.remove(name);
    }
  }

  /** Answers of probes by kind and container, for example {@code LIVENESS c}; none: success. */
  final Map<String, ProbeResult> probeAnswers = new HashMap<>();

  final List<ProbeRequest> probes = new ArrayList<>();

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    probes.add(request);
    String call = request.kind() + " " + request.container().name();
    return answer("probe " + call, () -> probeAnswers.getOrDefault(call, ProbeResult.SUCCESS));
  }

  final List<HookRequest> hooks = new ArrayList<>();

  @Override
  public Future<Void> runHook(HookRequest request) {
    hooks.add(request);
    String call = request.moment() + " " + request.container().name();
    return answer("hook " + call, () -> call).mapEmpty();
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return answer(
        "list",
        () ->
            pods.values().stream()
                .map(FakePod::view)
                .filter(pod -> !pod.equals(resting.get(pod.pod().uid())))
                .toList());
  }

  /** Whether it lets pods rest. */
  boolean rests;

  /** What it had of pods when the core let them rest, by UID. */
  final Map<String, RuntimePod> resting = new HashMap<>();

  @Override
  public boolean rest(PodView pod) {
    FakePod held = pods.get(pod.uid());
    if (!rests || held == null || held.sandbox == null) {
      return false;
    }
    for (ContainerStatusView status : pod.status().containerStatuses()) {
      ContainerRecord record = held.newest.get(status.name());
      if (record == null || !record.running() || !record.id().equals(status.containerId())) {
        return false; // the core has missed something
      }
    }
    resting.put(pod.uid(), held.view());
    return true;
  }

  @Override
  public RuntimePod wake(PodView pod) {
    RuntimePod then = resting.remove(pod.uid());
    if (then == null) {
      throw new IllegalStateException(pod.name() + " does not rest");
    }
    return then;
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    resting.remove(pod.uid());
    return answer(
        "restore " + pod.name(), () -> Optional.ofNullable(pods.get(pod.uid())).map(FakePod::view));
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    usageReads++;
    Future<NodeUsage> scripted = scripted("usage");
    calls.remove(calls.size() - 1);
    if (scripted != null) {
      return scripted;
    }
    return usage == null ? ContainerRuntime.super.usage(node) : Future.succeededFuture(usage);
  }

  @Override
  public Future<Void> status() {
    Future<Void> scripted = scripted("status");
    calls.remove(calls.size() - 1);
    return scripted == null ? Future.succeededFuture() : scripted;
  }

  @Override
  public Future<Void> networkStatus() {
    return network.get();
  }

  public int running(PodRef pod) {
    FakePod held = pods.get(pod.uid());
    return held == null
        ? 0
        : (int) held.newest.values().stream().filter(ContainerRecord::running).count();
  }

  public List<String> calls(String prefix) {
    return calls.stream().filter(call -> call.startsWith(prefix)).toList();
  }
}
