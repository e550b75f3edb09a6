package dev.vertlet.testing;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A back end that does nothing but remember what it was asked; a test scripts its answers. */
public final class FakeProvider implements PodProvider {
  /**
   * @param verb create, update, delete, kill or release
   * @param name of the pod, or of the node
   * @param uid of the pod, empty for a node
   * @param pod as handed over, null where only its reference is
   * @param at when it was made, by the clock of the test
   */
  public record Call(
      String verb, String name, String uid, @Nullable PodView pod, long grace, long at) {
    @Override
    public String toString() {
      return verb + " " + name;
    }
  }

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Map<String, Supplier<Future<Void>>> answers = new ConcurrentHashMap<>();
  private final List<PodReport> running = new CopyOnWriteArrayList<>();
  private final LongSupplier clock;
  private volatile RetryPolicy policy = RetryPolicy.ENDLESS;
  private volatile @Nullable ProviderContext context; // set by the verticle, used by the test

  public FakeProvider() {
    this(() -> 0);
  }

  /**
   * @param clock by which calls are dated
   */
  public FakeProvider(LongSupplier clock) {
    this.clock = clock;
  }

  /** Nothing runs in it that nobody knows of, so it need not be listed again and again. */
  @Override
  public boolean tellsUnclaimed() {
    return true;
  }

  public void retryBy(RetryPolicy value) {
    policy = value;
  }

  /**
   * @param call verb and name, for example {@code create a}
   */
  public void answer(String call, Supplier<Future<Void>> answer) {
    answers.put(call, answer);
  }

  /** A pod that survived the agent's restart. */
  public void runs(String name, String uid, String node) {
    PodRef pod = new PodRef("default", name, uid);
    running.add(new PodReport(pod, node, TestPods.status(PodPhase.RUNNING), false));
  }

  public void report(PodReport report) {
    ProviderContext target = context;
    if (target == null) {
      throw new AssertionError("the provider was not started");
    }
    target.report(report);
  }

  /** What the provider reads of a node of its shard. */
  public Future<NodeView> readNode(String name) {
    ProviderContext source = context;
    return source == null ? Future.failedFuture("not started") : source.node(name);
  }

  /** What the provider reads of a pod. */
  public Future<Buffer> readPod(PodRef pod) {
    ProviderContext source = context;
    return source == null ? Future.failedFuture("not started") : source.fullPod(pod);
  }

  /** Verb and name of each call, in order. */
  public List<String> calls() {
    return calls.stream().map(Call::toString).toList();
  }

  /** All calls of this verb and name. */
  public List<Call> calls(String call) {
    return calls.stream().filter(made -> made.toString().equals(call)).toList();
  }

  /** The threads that calls were made on. */
  public Set<Thread> threads() {
    return threads;
  }

  private Future<Void> called(
      String verb, String name, String uid, @Nullable PodView pod, long grace) {
    Call call = new Call(verb, name, uid, pod, grace, clock.getAsLong());
    threads.add(Thread.currentThread());
    calls.add(call);
    return answers.getOrDefault(call.toString(), Future::succeededFuture).get();
  }

  @Override
  public RetryPolicy retries() {
    return policy;
  }

  @Override
  public Future<Void> start(ProviderContext value) {
    context = value;
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> create(PodView pod) {
    return called("create", pod.name(), pod.uid(), pod, 0);
  }

  @Override
  public Future<Void> update(PodView pod) {
    return called("update", pod.name(), pod.uid(), pod, 0);
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    return called("delete", pod.name(), pod.uid(), pod, grace.toSeconds());
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    return called("kill", pod.name(), pod.uid(), null, 0);
  }

  @Override
  public Future<Void> release(String node) {
    return called("release", node, "", null, 0);
  }

  @Override
  public Future<Void> stop() {
    return called("stop", "", "", null, 0);
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return list().map(all -> all.stream().filter(report -> report.pod().equals(pod)).findFirst());
  }

  @Override
  public Future<List<PodReport>> list() {
    return Future.succeededFuture(List.copyOf(running));
  }
}
