package dev.vertlet.replicas;

import static dev.vertlet.bus.Addresses.NODES_ASSIGNED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.loop.Env;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.Timestamps;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Renews this agent's own Lease in its group, watches the Leases of the others, and publishes the
 * owner of each node, once the first list of members is complete.
 */
public final class MembershipVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipVerticle.class);

  /** Interval of checks for expired Leases of members. */
  private static final long LOOK_MILLIS = 500;

  /** How long an adopted node waits to be divided together with others. */
  private static final long CROWD_MILLIS = 50;

  private final String identity;
  private final ReplicaOptions options;
  private final KubeClient kube;
  private final Bus bus;
  private final Env env;
  private final Members members;

  private @Nullable Reflector<MemberView> reflector;
  private boolean synced;
  private boolean stopped;
  private boolean looking;
  private Set<String> strangers = Set.of();
  private Set<String> logged = Set.of();
  private Future<?> inFlight = Future.succeededFuture();
  private boolean held;
  private long heldSince;
  private String uid = "";

  /**
   * Creates the verticle.
   *
   * @param identity of this member, and of the agent in the Leases of nodes
   * @param options with a namespace
   * @param nodes that are divided
   * @param selectors of nodes that are adopted, and divided as they appear
   * @param env with the machine's own clock, for renewTime and the expiry of other members' Leases
   */
  public MembershipVerticle(
      String identity,
      ReplicaOptions options,
      Collection<String> nodes,
      Collection<String> selectors,
      KubeClient kube,
      Bus bus,
      Env env) {
    this.identity = identity;
    this.options = options;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
    this.members = new Members(identity, nodes, selectors, env.nanos());
  }

  @Override
  public Future<?> start() {
    ListWatch<MemberView> source =
        new ListWatch<>(
            "members",
            KubePath.leases(options.namespace()),
            "",
            ReplicaOptions.GROUP_LABEL + "=" + options.group(),
            new JsonTreeDecoder<>(MemberView::of),
            500,
            1 << 20,
            Duration.ofMinutes(5));
    reflector =
        new Reflector<>(kube, source, new Listener(), Reflector.DEFAULT_BACKOFF, env.random());
    reflector.start();
    renew();
    vertx.setPeriodic(options.renewInterval().toMillis(), id -> renew());
    vertx.setPeriodic(
        LOOK_MILLIS,
        id -> {
          look();
          if (!held) {
            renew();
          }
        });
    return Future.all(
        bus.consume(
                NODE_ADOPTED,
                m -> {
                  members.add(m.node());
                  lookSoon();
                })
            .completion(),
        bus.consume(
                NODE_RELEASED,
                m -> {
                  members.remove(m.node());
                  lookSoon();
                })
            .completion());
  }

  /** Divides soon, once for many nodes: each division publishes all nodes. */
  private void lookSoon() {
    if (!looking) {
      looking = true;
      vertx.setTimer(
          CROWD_MILLIS,
          id -> {
            looking = false;
            look();
          });
    }
  }

  /** Leaves the group: the others take over the nodes as soon as their Leases are released. */
  @Override
  public Future<?> stop() {
    stopped = true;
    if (reflector != null) {
      reflector.stop();
    }
    return inFlight
        .otherwiseEmpty()
        .compose(
            v ->
                held
                    ? kube.send(KubeRequest.deleteNow(Lane.LEASE, own(), uid))
                    : Future.succeededFuture())
        .otherwiseEmpty();
  }

  private KubePath own() {
    return KubePath.lease(options.namespace(), options.leaseName(identity));
  }

  private void renew() {
    if (stopped || !inFlight.isComplete()) {
      return;
    }
    long began = env.nanos().getAsLong();
    inFlight =
        patch()
            .recover(failure -> absent(failure) ? create() : Future.failedFuture(failure))
            .onSuccess(
                lease -> {
                  uid = lease.uid();
                  held = true;
                  heldSince = began;
                  look();
                })
            .onFailure(
                failure ->
                    LOG.atDebug()
                        .addKeyValue("error", failure.getMessage())
                        .log("the agent's own lease was not renewed"));
  }

  private static boolean absent(Throwable failure) {
    return KubeException.from(failure).kind() == KubeException.Kind.NOT_FOUND;
  }

  private JsonObject annotations() {
    return new JsonObject().put(ReplicaOptions.NODES_ANNOTATION, members.digest());
  }

  private JsonObject spec() {
    return new JsonObject()
        .put("holderIdentity", identity)
        .put("leaseDurationSeconds", options.duration().toSeconds())
        .put("renewTime", Timestamps.formatMicro(env.clock().instant()));
  }

  private Future<ObjectMeta> patch() {
    return send(
        KubeRequest.patch(
            Lane.LEASE,
            own(),
            "application/merge-patch+json",
            new JsonObject()
                .put("metadata", new JsonObject().put("annotations", annotations()))
                .put("spec", spec())
                .toBuffer()));
  }

  private Future<ObjectMeta> create() {
    JsonObject lease =
        new JsonObject()
            .put("apiVersion", "coordination.k8s.io/v1")
            .put("kind", "Lease")
            .put(
                "metadata",
                new JsonObject()
                    .put("name", options.leaseName(identity))
                    .put("namespace", options.namespace())
                    .put("annotations", annotations())
                    .put(
                        "labels",
                        new JsonObject().put(ReplicaOptions.GROUP_LABEL, options.group())))
            .put("spec", spec());
    return send(
        KubeRequest.create(Lane.LEASE, KubePath.leases(options.namespace()), lease.toBuffer()));
  }

  private Future<ObjectMeta> send(KubeRequest request) {
    return kube.send(request.metadataOnly().withTimeout(options.holdFor().dividedBy(3)))
        .map(answer -> ObjectMeta.decode(answer.body()));
  }

  private void look() {
    if (held && env.nanos().getAsLong() - heldSince >= options.holdFor().toNanos()) {
      held = false;
      LOG.warn("the agent's own lease expired; it serves its nodes until their Leases expire");
    }
    members.joined(held);
    Instant now = env.clock().instant();
    tellStrangers(members.strangers(now));
    if (!stopped && synced) {
      members.divided(now).ifPresent(this::tell);
    }
  }

  private void tell(Map<String, String> owners) {
    boolean news = !members.dividing().equals(logged);
    logged = members.dividing();
    LOG.atLevel(news ? Level.INFO : Level.DEBUG)
        .addKeyValue("members", String.join(",", members.dividing()))
        .addKeyValue("nodes", owners.values().stream().filter(identity::equals).count())
        .log("nodes are divided");
    bus.publish(NODES_ASSIGNED, new NodesAssigned(owners));
  }

  private void tellStrangers(Set<String> others) {
    if (!others.equals(strangers)) {
      strangers = others;
      if (!others.isEmpty()) {
        LOG.atWarn()
            .addKeyValue("members", String.join(",", others))
            .log("agents of the same group have other nodes; they are left out of the division");
      }
    }
  }

  private final class Listener implements ReflectorListener<MemberView> {
    @Override
    public void upserted(MemberView member) {
      members.observed(member);
      look();
    }

    @Override
    public void deleted(Tombstone lease) {
      members.gone(lease.name());
      look();
    }

    @Override
    public void synced() {
      synced = true;
      look();
    }
  }
}
