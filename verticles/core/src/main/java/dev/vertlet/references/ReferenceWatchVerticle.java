package dev.vertlet.references;

import static dev.vertlet.bus.Addresses.REFERENCE_READ;
import static dev.vertlet.bus.Addresses.REFERENCE_WANTED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ReferenceRead;
import dev.vertlet.bus.ReferenceWanted;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredDecoders;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.model.reference.UnservedKind;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the objects that pods refer to: one watch for each key, from the first shard that needs
 * it on until no shard does. Watches of services rest for {@link #SERVICES_REST} before they end.
 */
public final class ReferenceWatchVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ReferenceWatchVerticle.class);

  /**
   * How long services are watched after the last start that needed them. A kubelet watches them all
   * its life; an API server takes up to 100 ms to say that a new watch has delivered its first
   * objects, and each start would wait for that.
   */
  public static final Duration SERVICES_REST = Duration.ofMinutes(5);

  private final KubeClient kube;
  private final Bus bus;
  private final RandomGenerator random;
  private final boolean bytes;
  private final Duration servicesRest;
  private final TrustBundleApi trustBundles;
  private final Map<ReferredKey, Followed> followed = new HashMap<>();

  /**
   * Creates the verticle for providers that use no content.
   *
   * @param random for the jitter of retries
   */
  public ReferenceWatchVerticle(KubeClient kube, Bus bus, RandomGenerator random) {
    this(kube, bus, random, false, SERVICES_REST);
  }

  /**
   * Creates the verticle.
   *
   * @param random for the jitter of retries
   * @param bytes whether a provider uses the content of volumes, so that bytes are kept that are no
   *     text
   * @param servicesRest normally {@link #SERVICES_REST}; at least 1 ms
   */
  public ReferenceWatchVerticle(
      KubeClient kube, Bus bus, RandomGenerator random, boolean bytes, Duration servicesRest) {
    this.kube = kube;
    this.bus = bus;
    this.random = random;
    this.bytes = bytes;
    this.servicesRest = servicesRest;
    this.trustBundles = new TrustBundleApi(kube);
  }

  @Override
  public Future<?> start() {
    return bus.consume(REFERENCE_WANTED, this::onWanted).completion();
  }

  @Override
  public Future<?> stop() {
    followed.values().forEach(Followed::stop);
    followed.clear();
    return Future.succeededFuture();
  }

  private void onWanted(ReferenceWanted message) {
    ReferredKey key = message.key();
    Followed known = followed.get(key);
    if (message.wanted()) {
      if (known == null) {
        known = new Followed(key);
        followed.put(key, known);
        known.start();
      }
      known.join(message.shard());
    } else if (known != null && known.leave(message.shard())) {
      if (key.kind() == ReferredKind.SERVICE) {
        known.rest();
      } else {
        end(known);
      }
    }
  }

  private void end(Followed unused) {
    followed.remove(unused.key);
    unused.stop();
  }

  /** Path of a kind that every API server serves. */
  private static KubePath path(ReferredKey key) {
    return switch (key.kind()) {
      case CLUSTER_TRUST_BUNDLE ->
          throw new IllegalArgumentException(key + " has several versions");
      case CONFIG_MAP -> KubePath.configMaps(key.namespace());
      case SECRET -> KubePath.secrets(key.namespace());
      case SERVICE -> KubePath.services(key.namespace());
      case PERSISTENT_VOLUME_CLAIM -> KubePath.persistentVolumeClaims(key.namespace());
      case PERSISTENT_VOLUME -> KubePath.persistentVolumes();
    };
  }

  private static String name(ReferredKey key) {
    return key.namespace().isEmpty() ? key.name() : key.namespace() + "/" + key.name();
  }

  /** One key, the shards that need it, and its objects. */
  private final class Followed implements ReflectorListener<ReferredView> {
    private final ReferredKey key;
    private final Set<Integer> shards = new HashSet<>();
    private final Map<String, ReferredView> objects = new TreeMap<>();
    private @Nullable Reflector<ReferredView> reflector;
    private boolean complete;
    private boolean stopped;
    private @Nullable Long rest;
    private int attempts;

    Followed(ReferredKey key) {
      this.key = key;
    }

    /** Starts the watch; the reflector retries failures until it is stopped. */
    void start() {
      if (key.kind() == ReferredKind.CLUSTER_TRUST_BUNDLE) {
        find();
      } else {
        watch(path(key));
      }
    }

    /** Watches trust bundles once the API server says that it serves them. */
    private void find() {
      trustBundles
          .find()
          .onComplete(
              found -> {
                if (stopped) {
                  return;
                }
                if (found.succeeded() && found.result().isPresent()) {
                  objects.clear();
                  watch(found.result().get());
                  return;
                }
                attempts++;
                Duration delay = Reflector.DEFAULT_BACKOFF.delay(attempts, random);
                if (found.succeeded()) {
                  objects.put("", new UnservedKind(key.kind()));
                  complete = true;
                  tellAll();
                  vertx.setTimer(Math.max(1, delay.toMillis()), timer -> retry());
                } else {
                  LOG.debug("{}: {}", key.kind().kind(), found.cause().getMessage());
                  kube.retryLater(delay, KubeException.from(found.cause()), this::retry);
                }
              });
    }

    private void retry() {
      if (!stopped) {
        find();
      }
    }

    private void watch(KubePath path) {
      String what = path.resource() + " of " + key.namespace();
      ListWatch<ReferredView> all =
          ListWatch.of(
              key.single() ? key.kind().resource() + " " + name(key) : what,
              path,
              ReferredDecoders.of(key.kind(), bytes));
      Reflector<ReferredView> begun =
          new Reflector<>(
              kube,
              key.single() ? all.withFieldSelector("metadata.name=" + key.name()) : all,
              this,
              Reflector.DEFAULT_BACKOFF,
              random);
      reflector = begun;
      begun.start();
    }

    /** Ends the watch later, unless a shard needs it again before. */
    void rest() {
      wake();
      rest = vertx.setTimer(servicesRest.toMillis(), timer -> end(this));
    }

    private void wake() {
      if (rest != null) {
        vertx.cancelTimer(rest);
        rest = null;
      }
    }

    void stop() {
      stopped = true;
      wake();
      if (reflector != null) {
        reflector.stop();
      }
    }

    void join(int shard) {
      wake();
      if (shards.add(shard) && complete) {
        tell(shard);
      }
    }

    /**
     * Removes a shard.
     *
     * @return whether no shard is left
     */
    boolean leave(int shard) {
      shards.remove(shard);
      return shards.isEmpty();
    }

    @Override
    public void upserted(ReferredView object) {
      objects.put(object.name(), object);
      tellAll();
    }

    @Override
    public void deleted(Tombstone object) {
      objects.remove(object.name());
      tellAll();
    }

    @Override
    public void synced() {
      complete = true;
      tellAll();
    }

    private void tellAll() {
      if (complete) {
        shards.forEach(this::tell);
        if (key.single() && objects.get(key.name()) instanceof DataView data && data.immutable()) {
          // as a kubelet does; after this turn, because the reflector is calling this listener
          context.runOnContext(v -> stop());
        }
      }
    }

    private void tell(int shard) {
      bus.send(REFERENCE_READ.shard(shard), new ReferenceRead(key, List.copyOf(objects.values())));
    }
  }
}
