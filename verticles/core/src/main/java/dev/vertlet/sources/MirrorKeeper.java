package dev.vertlet.sources;

import dev.vertlet.bus.LeaseTerm;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.BackoffTimers;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.sources.MirrorEntry.Step;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one mirror pod in the API server for each static pod of a shard's nodes. Confined to
 * its loop.
 */
final class MirrorKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(MirrorKeeper.class);

  private final KubeClient kube;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final BackoffTimers<MirrorEntry> backoffs;
  private final Map<String, Node> nodes = new HashMap<>();

  /** By UID of the mirror. */
  private final Map<String, MirrorEntry> byUid = new HashMap<>();

  private static final class Node {
    private final LeaseTerm term = new LeaseTerm();

    /** By namespace and name. */
    private final Map<String, MirrorEntry> entries = new HashMap<>();

    /** Requests of the current term of the lease; null before the first. */
    private @Nullable RequestScope requests;

    private String uid = "";
    private boolean sourcesSeen;
  }

  MirrorKeeper(
      CoreLoop loop,
      Collection<String> nodes,
      KubeClient kube,
      LongSupplier nanos,
      RandomGenerator random) {
    this.kube = kube;
    this.nanos = nanos;
    this.random = random;
    this.backoffs = new BackoffTimers<>(loop, this::drive);
    nodes.forEach(node -> this.nodes.put(node, new Node()));
  }

  /** Adds a node of the shard. */
  void add(String node) {
    nodes.put(node, new Node());
  }

  /** Removes a node of the shard. */
  void remove(String name) {
    lost(name);
    Node node = nodes.remove(name);
    if (node != null) {
      byUid.values().removeAll(node.entries.values());
    }
  }

  /** A static pod runs, or has changed. */
  void run(StaticPod pod) {
    change(pod.view(), entry -> entry.wanted(pod));
  }

  /** Makes the requests now that wait for their retry: the server works again. */
  void serverReturned() {
    for (MirrorEntry entry : backoffs.waiting()) {
      entry.serverReturned();
      drive(entry);
    }
  }

  /** A static pod is being ended. */
  void end(StaticPod pod) {
    change(pod.view(), MirrorEntry::ending);
  }

  /** A static pod has ended. */
  void forget(StaticPod pod) {
    change(pod.view(), MirrorEntry::unwanted);
  }

  /** Takes a mirror from the pod watch. */
  void observed(PodView mirror) {
    change(
        mirror,
        entry -> {
          entry.observed(mirror);
          byUid.put(mirror.uid(), entry);
        });
  }

  private void change(PodView pod, Consumer<MirrorEntry> change) {
    Node node = nodes.get(pod.nodeName());
    if (node != null) {
      MirrorEntry entry =
          node.entries.computeIfAbsent(
              pod.ref().display(),
              unknown -> new MirrorEntry(pod.nodeName(), pod.namespace(), pod.name()));
      change.accept(entry);
      drive(entry);
    }
  }

  /** The API server no longer holds a pod, which may be a mirror. */
  void gone(PodRef pod) {
    MirrorEntry entry = byUid.remove(pod.uid());
    if (entry != null) {
      entry.gone(pod.uid());
      drive(entry);
    }
  }

  void registered(String name, String uid) {
    Node node = nodes.get(name);
    if (node != null) {
      node.uid = uid;
      driveAll(node);
    }
  }

  void sourcesSeen(String name) {
    Node node = nodes.get(name);
    if (node != null) {
      node.sourcesSeen = true;
      driveAll(node);
    }
  }

  void acquired(String name, int term) {
    Node node = nodes.get(name);
    if (node != null && node.term.acquired(term)) {
      begin(node);
    }
  }

  void synced(Set<String> names, int term) {
    for (String name : names) {
      Node node = nodes.get(name);
      if (node != null && node.term.synced(term)) {
        begin(node);
      }
    }
  }

  private void begin(Node node) {
    node.entries.values().forEach(MirrorEntry::begin);
    driveAll(node);
  }

  /** Gives up waiting requests: another agent may serve the node by the time they would be sent. */
  void lost(String name) {
    Node node = nodes.get(name);
    if (node != null) {
      node.term.lost();
      RequestScope before = node.requests;
      if (before != null) {
        node.requests = null;
        before.close();
      }
    }
  }

  private void driveAll(Node node) {
    List.copyOf(node.entries.values()).forEach(this::drive);
  }

  private void drive(MirrorEntry entry) {
    Node node = nodes.get(entry.node());
    if (node == null) {
      return;
    }
    if (entry.empty()) {
      node.entries.remove(entry.display(), entry);
    } else if (node.term.active()) {
      Step step = entry.next(node.sourcesSeen, node.uid, nanos.getAsLong());
      if (step instanceof Step.Create create) {
        create(node, entry, create);
      } else if (step instanceof Step.Delete delete) {
        delete(node, entry, delete.mirror());
      } else if (step instanceof Step.Wait wait) {
        backoffs.arm(entry, wait.delay());
      }
    }
  }

  private Future<KubeResponse> send(Node node, MirrorEntry entry, KubeRequest request) {
    RequestScope requests = node.requests == null ? kube.scope(entry.node()) : node.requests;
    node.requests = requests;
    return requests.send(request);
  }

  private void create(Node node, MirrorEntry entry, Step.Create create) {
    KubePath path = KubePath.pods(entry.namespace());
    send(node, entry, KubeRequest.create(Lane.REST, path, create.body()).metadataOnly())
        .map(answer -> ObjectMeta.decode(answer.body()))
        .onSuccess(
            made -> {
              if (entry.created(create.of(), made)) {
                byUid.put(made.uid(), entry);
              }
            })
        .onFailure(failure -> failed(entry, KubeException.from(failure)))
        .onComplete(done -> drive(entry));
  }

  private void delete(Node node, MirrorEntry entry, PodRef mirror) {
    KubePath path = KubePath.pod(mirror.namespace(), mirror.name());
    send(node, entry, KubeRequest.deleteNow(Lane.REST, path, mirror.uid()))
        .onSuccess(answer -> entry.removed(mirror))
        .onFailure(
            failure -> {
              KubeException why = KubeException.from(failure);
              // gone already, or another object by now
              if (why.kind() == KubeException.Kind.NOT_FOUND
                  || why.kind() == KubeException.Kind.CONFLICT) {
                entry.removed(mirror);
              } else {
                failed(entry, why);
              }
            })
        .onComplete(done -> drive(entry));
  }

  /**
   * Logs a rejection of this pod; the client logs other failures, for example missing permissions.
   */
  private void failed(MirrorEntry entry, KubeException failure) {
    if (entry.failed(failure, nanos.getAsLong(), random)) {
      LOG.atWarn()
          .addKeyValue("node", entry.node())
          .addKeyValue("pod", entry.display())
          .addKeyValue("error", failure.getMessage())
          .log("static pod runs, but the API server rejects its mirror pod");
    }
  }
}
