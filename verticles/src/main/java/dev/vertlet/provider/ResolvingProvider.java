package dev.vertlet.provider;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.env.Missing;
import dev.vertlet.env.PodEnvironments;
import dev.vertlet.env.PodEnvironments.Outcome;
import dev.vertlet.env.PodFacts;
import dev.vertlet.env.PodReferences;
import dev.vertlet.env.ReferenceCache;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands pods over with their environments made, to a provider of whole pods that asked for it, as
 * virtual-kubelet does: what is missing and mandatory keeps the pod from being handed over, until a
 * later try; events with virtual-kubelet's words tell of it. Belongs to the context of its shard.
 */
public final class ResolvingProvider extends ForwardingProvider {
  private final ReferenceCache<String> cache;
  private final Function<String, NodeSpec> nodes;

  /** Pods that are to be handed over as soon as what they refer to was read, by UID. */
  private final Map<String, Waiter> waiting = new HashMap<>();

  /** The node of each pod whose references are followed, by UID. */
  private final Map<String, String> following = new HashMap<>();

  private @Nullable ProviderContext context;

  private record Waiter(PodView pod, Promise<PodView> made) {}

  /**
   * @param source what pods refer to; used by this object alone
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
    return resolved(pod).compose(provider::create);
  }

  @Override
  public Future<Void> update(PodView pod) {
    return resolved(pod).compose(provider::update);
  }

  private Future<PodView> resolved(PodView pod) {
    cache.hold(pod.uid(), PodReferences.of(pod, true), now());
    following.put(pod.uid(), pod.nodeName());
    Waiter waiter = new Waiter(pod, Promise.promise());
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
    }
  }

  private void attempt(Waiter waiter) {
    PodView pod = waiter.pod;
    if (waiting.get(pod.uid()) != waiter) {
      return;
    }
    NodeSpec node = nodes.apply(pod.nodeName());
    PodFacts facts = new PodFacts(pod.status().podIPs(), node.hostIPs(), node.allocatable());
    Outcome outcome = PodEnvironments.resolve(pod, facts, key -> cache.read(key, now()));
    if (outcome instanceof Outcome.Waiting wait) {
      long delay = Math.max(1, wait.until() - now());
      context().vertx().setTimer(delay, id -> attempt(waiter));
    } else if (outcome instanceof Outcome.Failed failed) {
      // it is followed on, for the next try
      waiting.remove(pod.uid());
      tell(pod, failed.missing());
      waiter.made.fail(
          new ProviderException(
              ProviderException.Kind.TEMPORARY, "CreateContainerConfigError", failed.message()));
    } else if (outcome instanceof Outcome.Ready ready) {
      waiting.remove(pod.uid());
      leave(pod.uid());
      tell(pod, ready.skipped());
      waiter.made.complete(ready.pod());
    }
  }

  private void tell(PodView pod, List<Missing> missing) {
    for (Missing one : missing) {
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

  /** The pod needs nothing of what it refers to now. */
  private void forget(String uid) {
    Waiter waiter = waiting.remove(uid);
    if (waiter != null) {
      waiter.made.tryFail("the pod is wanted no longer");
    }
    leave(uid);
  }

  private void leave(String uid) {
    following.remove(uid);
    cache.release(uid);
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    forget(pod.uid());
    return provider.delete(pod, grace);
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    forget(pod.uid());
    return provider.kill(pod);
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
    return provider.release(node);
  }

  @Override
  public boolean usesEnvironment() {
    return true;
  }

  @Override
  public Future<Void> stop() {
    List.copyOf(following.keySet()).forEach(this::forget);
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
