package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.ConcurrencyLimit;
import dev.vertlet.loop.Env;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.PodTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing pods and counts surplus ones. Confined to its loop. */
final class PoolSize {
  private static final Logger LOG = LoggerFactory.getLogger(PoolSize.class);

  /** A quota or a webhook that rejects one pod will reject the next one, too. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 2, 0.2);

  /** Letters that do not form words; 27^5 names. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;

  /** While the template changes, at most one part in this many of a pool is being replaced. */
  private static final int RENEW_SHARE = 10;

  private final PoolSpec spec;
  private final @Nullable PodTemplate template;
  private final PodApi api;
  private final ConcurrencyLimit slots;
  private final Env env;
  private final Consumer<JsonNode> made;
  private int making;
  private int failures;
  private int missing;
  private Instant notBefore = Instant.MIN;

  /**
   * Creates the size control of a pool.
   *
   * @param made called with each new pod
   */
  PoolSize(
      PoolSpec spec,
      @Nullable PodTemplate template,
      PodApi api,
      ConcurrencyLimit slots,
      Env env,
      Consumer<JsonNode> made) {
    this.spec = spec;
    this.template = template;
    this.api = api;
    this.slots = slots;
    this.env = env;
    this.made = made;
  }

  /** Whether a pod may be replaced because the template has changed. */
  boolean mayRenew(int busy) {
    return missing + making + busy < Math.max(1, spec.size() / RENEW_SHARE);
  }

  /**
   * Creates missing pods.
   *
   * @return number of surplus pods
   */
  int reconcile(Collection<PodObject> pods, PodRules rules) {
    PodTemplate source = template;
    if (source == null) {
      return 0;
    }
    int living = 0;
    for (PodObject pod : pods) {
      if (!PodTree.isDeleting(pod.tree()) && !(spec.replaceFailed() && rules.isOver(pod.tree()))) {
        living++;
      }
    }
    missing = Math.max(0, spec.size() - living - making);
    if (missing > 0 && !env.clock().instant().isBefore(notBefore)) {
      for (int i = missing; i > 0; i--) {
        make(source);
      }
    }
    return Math.max(0, living - spec.size());
  }

  private void make(PodTemplate source) {
    making++;
    missing--;
    slots
        .run(() -> api.create(spec.namespace(), source.pod(name())))
        .onComplete(
            done -> {
              making--;
              if (done.succeeded()) {
                failures = 0;
                made.accept(done.result());
              } else if (!KubeException.is(done.cause(), Kind.ALREADY_EXISTS)) {
                failed(done.cause());
              }
            });
  }

  private void failed(Throwable failure) {
    Instant now = env.clock().instant();
    if (!now.isBefore(notBefore)) {
      failures++;
      notBefore = now.plus(BACKOFF.delay(failures, env.random()));
      LOG.atWarn()
          .addKeyValue("pool", spec.name())
          .addKeyValue("error", failure.getMessage())
          .log("pod of the pool cannot be created");
    }
  }

  private String name() {
    StringBuilder name = new StringBuilder(spec.name()).append('-');
    for (int i = 0; i < SUFFIX; i++) {
      name.append(LETTERS.charAt(env.random().nextInt(LETTERS.length())));
    }
    return name.toString();
  }
}
