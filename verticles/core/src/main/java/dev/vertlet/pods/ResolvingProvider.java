package dev.vertlet.pods;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.env.MissingReference;
import dev.vertlet.env.PodEnvironments;
import dev.vertlet.env.PodEnvironments.Given;
import dev.vertlet.env.PodEnvironments.Outcome;
import dev.vertlet.env.PodFacts;
import dev.vertlet.env.ReferenceCache;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ForwardingProvider;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.provider.PodContent;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the environments of pods for a provider of whole pods that asks for it, as
 * virtual-kubelet does. While a mandatory reference is missing, the pod is not passed on: events
 * with virtual-kubelet's messages name the reference, and a later retry resolves it again. A pod
 * keeps the environment of its creation: an update reads references only for new containers.
 * Confined to the context of its shard.
 */
public final class ResolvingProvider extends ForwardingProvider {
  /** Failure reason when an environment cannot be resolved; a kubelet's term. */
  public static final String UNRESOLVED = "CreateContainerConfigError";

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

  private @Nullable ProviderContext context;

  private record Waiter(PodView pod, @Nullable Given given, Promise<PodView> made) {}

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
    return resolved(pod, null).compose(provider::create);
  }

  @Override
  public Future<Void> update(PodView pod) {
    Handed before = handed.get(pod.uid());
    return resolved(pod, before == null ? null : before.given).compose(provider::update);
  }

  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return resolved(pod, null).compose(made -> provider.create(made, content));
  }

  @Override
  public Future<Void> update(PodView pod, PodContent content) {
    Handed before = handed.get(pod.uid());
    return resolved(pod, before == null ? null : before.given)
        .compose(made -> provider.update(made, content));
  }

  private Future<PodView> resolved(PodView pod, @Nullable Given given) {
    cache.hold(pod.uid(), PodEnvironments.references(pod, given), now());
    following.put(pod.uid(), pod.nodeName());
    Waiter waiter = new Waiter(pod, given, Promise.promise());
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
    Outcome outcome =
        PodEnvironments.resolve(pod, facts(pod, node), waiter.given, key -> cache.read(key, now()));
    if (outcome instanceof Outcome.Waiting wait) {
      long delay = Math.max(1, wait.until() - now());
      context().vertx().setTimer(delay, id -> attempt(waiter));
    } else if (outcome instanceof Outcome.Failed failed) {
      // its references stay watched, for the next retry
      waiting.remove(pod.uid());
      tell(pod, failed.missing());
      waiter.made.fail(
          new ProviderException(ProviderException.Kind.TEMPORARY, UNRESOLVED, failed.message()));
    } else if (outcome instanceof Outcome.Ready ready) {
      waiting.remove(pod.uid());
      leave(pod.uid());
      handed.put(pod.uid(), new Handed(pod.nodeName(), new Given(pod.spec(), ready.pod().spec())));
      tell(pod, ready.skipped());
      waiter.made.complete(ready.pod());
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
    handed.values().removeIf(pod -> pod.node.equals(node));
    return provider.release(node);
  }

  @Override
  public boolean usesEnvironment() {
    return true;
  }

  @Override
  public Future<Void> stop() {
    List.copyOf(following.keySet()).forEach(this::forget);
    handed.clear();
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
