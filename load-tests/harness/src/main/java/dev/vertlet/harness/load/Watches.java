package dev.vertlet.harness.load;

import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Watches of the load's nodes, leases and pods. Confined to the load's event loop. */
final class Watches {
  /** Receives a call after each event. */
  interface Observer {
    /**
     * @param arrived pod that became Ready for the first time; null for any other event
     */
    void seen(@Nullable TrackedPod arrived);

    /** Receives a node's state; returns whether {@link #seen} has to be called. */
    boolean shows(NodeView node);
  }

  private static final KubePath EVENTS = new KubePath("/api/v1/events", "events", "");

  private final KubeClient client;
  private final LoadPlan plan;
  private final SplittableRandom random;
  private final LongSupplier nanos;
  private final Population population;
  private final PodStartups startups;
  private final Observer observer;
  private final LeaseGaps leaseGaps = new LeaseGaps();
  private final SubjectStarts subjectStarts = new SubjectStarts();
  private final Outages outages = new Outages();
  private final Readiness nodes = new Readiness();
  private final List<Reflector<?>> reflectors = new ArrayList<>();

  Watches(
      KubeClient client,
      LoadPlan plan,
      SplittableRandom random,
      LongSupplier nanos,
      Population population,
      PodStartups startups,
      Observer observer) {
    this.client = client;
    this.plan = plan;
    this.random = random;
    this.nanos = nanos;
    this.population = population;
    this.startups = startups;
    this.observer = observer;
  }

  LeaseGaps leaseGaps() {
    return leaseGaps;
  }

  SubjectStarts subjectStarts() {
    return subjectStarts;
  }

  Outages outages() {
    return outages;
  }

  Readiness nodes() {
    return nodes;
  }

  /** Completes when all watches have listed. */
  Future<?> start() {
    Future<?> pulls =
        plan.scenario().judgesPodStartup()
            ? follow(
                ListWatch.of("pulls", EVENTS, PullView.decoder())
                    .withFieldSelector(PullView.SELECTOR),
                new PullListener())
            : Future.succeededFuture();
    return Future.all(
        pulls,
        follow(
            labelled("nodes of the load", KubePath.nodes(), new NodeDecoder()), new NodeListener()),
        follow(
            ListWatch.of("leases", KubePath.nodeLeases(), LeaseView.decoder()),
            new LeaseListener()),
        follow(labelled("pods of the load", KubePath.pods(), new PodDecoder()), new PodListener()));
  }

  private <T extends KubeObject> ListWatch<T> labelled(
      String name, KubePath path, ObjectDecoder<T> decoder) {
    return ListWatch.of(name, path, decoder).withLabelSelector(plan.label());
  }

  private <T extends KubeObject> Future<Void> follow(
      ListWatch<T> what, ReflectorListener<T> listener) {
    Reflector<T> reflector =
        new Reflector<>(client, what, listener, Reflector.DEFAULT_BACKOFF, random.split());
    reflectors.add(reflector);
    return reflector.start();
  }

  Future<?> stop() {
    return Future.join(reflectors.stream().map(Reflector::stop).toList());
  }

  private final class NodeListener implements ReflectorListener<NodeView> {
    @Override
    public void upserted(NodeView node) {
      NodeConditionView ready = node.status().condition("Ready");
      boolean isReady = ready != null && ready.status().equals("True");
      if (isReady) {
        leaseGaps.ready(node.name(), nanos.getAsLong());
      }
      boolean configured = observer.shows(node);
      if (nodes.observe(node.name(), isReady) || configured) {
        observer.seen(null);
      }
    }

    @Override
    public void deleted(Tombstone node) {
      nodes.gone(node.name());
      leaseGaps.gone(node.name());
      outages.gone(node.name());
      observer.seen(null);
    }

    @Override
    public void synced() {}
  }

  private final class LeaseListener implements ReflectorListener<LeaseView> {
    @Override
    public void upserted(LeaseView lease) {
      if (plan.owns(lease.name())) {
        long now = nanos.getAsLong();
        leaseGaps.renewed(lease.name(), now, lease.duration());
        subjectStarts.renewed(lease.name(), now);
        outages.renewed(lease.name(), lease.renewed());
      }
    }

    @Override
    public void deleted(Tombstone lease) {
      leaseGaps.gone(lease.name());
      outages.gone(lease.name());
    }

    @Override
    public void synced() {}
  }

  private final class PodListener implements ReflectorListener<PodView> {
    @Override
    public void upserted(PodView pod) {
      long now = nanos.getAsLong();
      startups.observe(pod, now, Instant.now());
      TrackedPod arrived = population.observe(PodSight.of(pod), now);
      if (arrived != null) {
        outages.served(arrived.name(), Instant.now());
      }
      observer.seen(arrived);
    }

    @Override
    public void deleted(Tombstone pod) {
      long now = nanos.getAsLong();
      startups.gone(pod.name());
      population.gone(pod.name(), now);
      outages.served(pod.name(), Instant.now());
      observer.seen(null);
    }

    @Override
    public void synced() {}
  }

  /** Events are new for each pull; a relist repeats those of the last hour. */
  private final class PullListener implements ReflectorListener<PullView> {
    private final Set<String> seen = new HashSet<>();

    @Override
    public void upserted(PullView pull) {
      if (!pull.took().isZero() && seen.add(pull.uid())) {
        startups.pulled(pull.pod(), pull.took());
      }
    }

    @Override
    public void deleted(Tombstone pull) {}

    @Override
    public void synced() {}
  }
}
