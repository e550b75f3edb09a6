package dev.vertlet.pods;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.env.MissingReference;
import dev.vertlet.env.PodEnvironments;
import dev.vertlet.env.PodEnvironments.Given;
import dev.vertlet.env.PodEnvironments.Outcome;
import dev.vertlet.env.PodFacts;
import dev.vertlet.env.ReferenceCache;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the environments of pods for a provider of whole pods that asks for it, as
 * virtual-kubelet does. While a mandatory reference is missing, the pod is not passed on: events
 * with virtual-kubelet's messages name the reference, and a later retry resolves it again. A pod
 * keeps the environment of its creation: an update reads references only for new containers.
 *
 * <p>A pod that the provider runs already, after a restart of the agent, is passed on all the same,
 * as a kubelet lets it run: with its references as they are, and with an update once they can be
 * resolved. Confined to the context of its shard.
 */
public final class ResolvingProvider extends ForwardingProvider {
  /** Failure reason when an environment cannot be resolved; a kubelet's term. */
  public static final String UNRESOLVED = "CreateContainerConfigError";

  /** A kubelet's pause before it syncs a pod again whose sync has failed, plus up to a half. */
  private static final Duration SYNC = Duration.ofSeconds(10);

  private final ReferenceCache<String> cache;
  private final Function<String, NodeSpec> nodes;

  /** Pods that are passed on as soon as their references have been read, by UID. */
  private final Map<String, Waiter> waiting = new HashMap<>();

  /** Node of each pod whose references are watched, by UID. */
  private final Map<String, String> following = new HashMap<>();

  /**
   * Node and resolved environment of each pod that was passed on, by UID, until the pod is ended.
   */
  private final Map<String, Handed> handed = new HashMap<>();

  /** Newest version of each pod that the provider runs without its environment, by UID. */
  private final Map<String, PodView> unresolved = new HashMap<>();

  /** Updates under way that bring environments later, by UID; other operations wait for them. */
  private final Map<String, Future<Void>> late = new HashMap<>();

  private @Nullable ProviderContext context;

  private static final class Waiter {
    private final PodView pod;
    private final @Nullable Given given;

    /** Whether the provider may run the pod already. */
    private final boolean creates;

    private final Promise<PodView> made = Promise.promise();
    private boolean asked;

    Waiter(PodView pod, @Nullable Given given, boolean creates) {
      this.pod = pod;
      this.given = given;
      this.creates = creates;
    }
  }

  private record Handed(String node, Given given) {}

  /**
   * Wraps a provider.
   *
   * @param source of referenced objects; used by this object alone
   * @param nodes of the shard by name
   */
  public ResolvingProvider(
      PodProvider provider, ReferenceSource source, Function<String, NodeSpec> nodes) {
    super(provider);
    this.cache = new ReferenceCache<>(source, this::changed);
    this.nodes = nodes;
  }

  @Override
  public Future<Void> start(ProviderContext given) {
    context = given;
    cache.start();
    return provider.start(given);
  }

  @Override
  public Future<Void> create(PodView pod) {
    return created(pod, provider::create);
  }

  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return created(pod, made -> provider.create(made, content));
  }

  @Override
  public Future<Void> update(PodView pod) {
    return updated(pod, provider::update);
  }

  @Override
  public Future<Void> update(PodView pod, PodContent content) {
    return updated(pod, made -> provider.update(made, content));
  }

  private Future<Void> created(PodView pod, Function<PodView, Future<Void>> create) {
    return afterLate(
        pod.uid(),
        () ->
            resolved(new Waiter(pod, null, true))
                .compose(made -> create.apply(made).onSuccess(done -> passedOn(made))));
  }

  private Future<Void> updated(PodView pod, Function<PodView, Future<Void>> update) {
    return afterLate(
        pod.uid(),
        () -> {
          Handed before = handed.get(pod.uid());
          return resolved(new Waiter(pod, before == null ? null : before.given, false))
              .compose(update);
        });
  }

  private Future<Void> afterLate(String uid, Supplier<Future<Void>> operation) {
    Future<Void> before = late.get(uid);
    return before == null ? operation.get() : before.transform(ended -> operation.get());
  }

  private Future<PodView> resolved(Waiter waiter) {
    PodView pod = waiter.pod;
    cache.hold(pod.uid(), PodEnvironments.references(pod, waiter.given), now());
    following.put(pod.uid(), pod.nodeName());
    Waiter before = waiting.put(pod.uid(), waiter);
    if (before != null) {
      before.made.tryFail("another try has begun");
    }
    attempt(waiter);
    return waiter.made.future();
  }

  private void changed(String uid) {
    Waiter waiter = waiting.get(uid);
    if (waiter != null) {
      attempt(waiter);
    } else {
      resolveLate(uid);
    }
  }

  private void attempt(Waiter waiter) {
    PodView pod = waiter.pod;
    if (waiting.get(pod.uid()) != waiter) {
      return;
    }
    Outcome outcome = resolve(pod, waiter.given);
    if (outcome instanceof Outcome.Waiting wait) {
      long delay = Math.max(1, wait.until() - now());
      context().vertx().setTimer(delay, id -> attempt(waiter));
    } else if (outcome instanceof Outcome.Failed failed) {
      unresolved(waiter, failed);
    } else if (outcome instanceof Outcome.Ready ready) {
      waiting.remove(pod.uid());
      waiter.made.complete(taken(pod, ready));
    }
  }

  private Outcome resolve(PodView pod, @Nullable Given given) {
    NodeSpec node = nodes.apply(pod.nodeName());
    return PodEnvironments.resolve(pod, facts(pod, node), given, key -> cache.read(key, now()));
  }

  /** Notes that a pod has its environment. */
  private PodView taken(PodView pod, Outcome.Ready ready) {
    unresolved.remove(pod.uid());
    leave(pod.uid());
    handed.put(pod.uid(), new Handed(pod.nodeName(), new Given(pod.spec(), ready.pod().spec())));
    tell(pod, ready.skipped());
    return ready.pod();
  }

  /** Ends a try, unless the provider runs the pod. Its references stay watched in either case. */
  private void unresolved(Waiter waiter, Outcome.Failed failed) {
    PodView pod = waiter.pod;
    if (waiter.asked) {
      return;
    }
    waiter.asked = true;
    tell(pod, failed.missing());
    ProviderException failure =
        new ProviderException(ProviderException.Kind.TEMPORARY, UNRESOLVED, failed.message());
    if (!waiter.creates) {
      unresolved.computeIfPresent(pod.uid(), (uid, older) -> pod);
      waiting.remove(pod.uid());
      waiter.made.fail(failure);
      return;
    }
    provider
        .get(pod.ref())
        .otherwise(Optional.empty())
        .onSuccess(
            report -> {
              if (!waiting.remove(pod.uid(), waiter)) {
                return;
              }
              if (report.isPresent() && runs(report.get())) {
                unresolved.put(pod.uid(), pod);
                waiter.made.complete(pod);
              } else {
                waiter.made.fail(failure);
              }
            });
  }

  private static boolean runs(PodReport report) {
    return !report.finished() && !report.status().phase().terminal();
  }

  /** The provider has taken a pod, perhaps without its environment. */
  private void passedOn(PodView pod) {
    if (unresolved.get(pod.uid()) == pod) {
      resolveLate(pod.uid());
    }
  }

  /** Updates a pod that the provider runs without its environment, if it can be resolved now. */
  private void resolveLate(String uid) {
    PodView pod = unresolved.get(uid);
    if (pod != null
        && !late.containsKey(uid)
        && resolve(pod, null) instanceof Outcome.Ready ready) {
      Future<Void> update = provider.update(taken(pod, ready));
      late.put(uid, update);
      // a pod that the provider lost meanwhile is its own to report, with the environment
      update.onComplete(done -> late.remove(uid, update));
    }
  }

  /** A pod on the host network has the host's addresses from the beginning. */
  private static PodFacts facts(PodView pod, NodeSpec node) {
    List<String> podIPs = pod.spec().hostNetwork() ? node.hostIPs() : pod.status().podIPs();
    return new PodFacts(podIPs, node.hostIPs(), node.allocatable());
  }

  private void tell(PodView pod, List<MissingReference> missing) {
    for (MissingReference one : missing) {
      context()
          .event(
              new ObjectEvent(
                  "Pod",
                  pod.namespace(),
                  pod.name(),
                  pod.uid(),
                  "",
                  ObjectEvent.WARNING,
                  one.eventReason(),
                  one.eventMessage(),
                  pod.nodeName()));
    }
  }

  /** Stops watching the pod's references. */
  private void forget(String uid) {
    Waiter waiter = waiting.remove(uid);
    if (waiter != null) {
      waiter.made.tryFail("the pod is no longer wanted");
    }
    handed.remove(uid);
    unresolved.remove(uid);
    leave(uid);
  }

  private void leave(String uid) {
    following.remove(uid);
    cache.release(uid);
  }

  /** The provider received a different form of the pod. */
  @Override
  public void settled(PodView pod) {}

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    forget(pod.uid());
    return afterLate(pod.uid(), () -> provider.delete(pod, grace));
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    forget(pod.uid());
    return afterLate(pod.uid(), () -> provider.kill(pod));
  }

  @Override
  public Future<Void> release(String node) {
    Map.copyOf(following)
        .forEach(
            (uid, where) -> {
              if (where.equals(node)) {
                forget(uid);
              }
            });
    handed.values().removeIf(pod -> pod.node.equals(node));
    return provider.release(node);
  }

  @Override
  public boolean usesEnvironment() {
    return true;
  }

  /** An object that comes is noticed as soon as by a kubelet, whatever the provider's policy. */
  @Override
  public RetryPolicy retries() {
    RetryPolicy others = provider.retries();
    return (failed, random) -> {
      if (!ProviderException.reasonOf(failed.failure(), "").equals(UNRESOLVED)) {
        return others.next(failed, random);
      }
      Duration most = Duration.ofMillis((long) (SYNC.toMillis() * (1 + random.nextDouble() / 2)));
      return RetryPolicy.ENDLESS
          .next(failed, random)
          .map(delay -> delay.compareTo(most) < 0 ? delay : most);
    };
  }

  @Override
  public Future<Void> stop() {
    List.copyOf(following.keySet()).forEach(this::forget);
    handed.clear();
    unresolved.clear();
    cache.stop();
    return provider.stop();
  }

  private long now() {
    return context().clock().millis();
  }

  private ProviderContext context() {
    if (context == null) {
      throw new IllegalStateException("the provider is not started");
    }
    return context;
  }
}
