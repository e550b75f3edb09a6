package dev.vertlet.nodes;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.NodeStatusView;
import dev.vertlet.model.NodeView;
import dev.vertlet.provider.NodeProvider.NodeHealth;
import dev.vertlet.provider.NodeSpec;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to write for one node. Pure but for its own fields; requests are made by the
 * verticle, at most one at a time.
 *
 * <pre>
 * not served ──lease──▶ unknown ──read: 404──▶ absent ──created──▶ known ──gone──▶ unknown
 *                          └──read: found──────────────────────────▶ known (metadata, then status)
 * </pre>
 *
 * <p>One that was adopted and is absent is waited for: whoever watches it tells when it is gone.
 */
final class NodeState {
  /** What the verticle shall do next. */
  sealed interface Step {
    record Read() implements Step {}

    record Create(Buffer body) implements Step {}

    record PatchMetadata(Buffer body) implements Step {}

    /**
     * @param rebooted what backs the node has started anew since the status was last written
     */
    record PatchStatus(Buffer body, boolean rebooted) implements Step {}

    /** Nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Nothing before an event. */
    record Idle() implements Step {}
  }

  /** 100 ms doubling to 7 s: the kubelet's registration retry. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(7), 2, 0.2);

  /**
   * A write that the server refuses as wrong or forbidden is tried again slowly: an operator may
   * mend it.
   */
  private static final Duration REFUSED = Duration.ofSeconds(30);

  private static final String BOOT_ID = "bootID";

  /** A node that is taken over needs a read and two writes. */
  private static final int UNHURRIED_WRITES = 4;

  private final Clock clock;
  private final RandomGenerator random;

  private Duration reportFrequency;
  private NodeObject object;
  private NodeHealth health;
  private boolean served;
  private boolean absent;
  private boolean busy;
  private int failures;
  private int writes;
  private @Nullable NodeView current;

  /** Null while it is not known yet: then what the node says of it stays. */
  private @Nullable KubeletEndpoint endpoint;

  /** The server does not keep declared features: it is older, or was told not to. */
  private boolean featuresRefused;

  /** Of the last status that was to be written. */
  private List<String> featuresAsked = List.of();

  /** The UID that the watch lost sight of while a request was under way. */
  private @Nullable String goneMeanwhile;

  private Instant due = Instant.EPOCH;
  private Instant heartbeat = Instant.MAX;

  NodeState(
      NodeObject object,
      NodeHealth health,
      Duration reportFrequency,
      Clock clock,
      RandomGenerator random) {
    this.object = object;
    this.health = health;
    this.reportFrequency = reportFrequency;
    this.clock = clock;
    this.random = random;
  }

  String node() {
    return object.spec().name();
  }

  /** Whether somebody else made it. */
  boolean adopted() {
    return object.adopted();
  }

  /** Of the boot that the node's status tells, empty when it tells none. */
  String bootId() {
    return object.spec().nodeInfo().getOrDefault(BOOT_ID, "");
  }

  /** UID of the object as last seen, empty when it is not known to exist. */
  String uid() {
    return current == null ? "" : current.uid();
  }

  /** Status of the Ready condition on the server, empty when not known. */
  String ready() {
    NodeConditionView ready = current == null ? null : current.status().condition("Ready");
    return ready == null ? "" : ready.status();
  }

  void served(boolean value) {
    served = value;
    if (value) {
      // somebody else may have written it meanwhile
      current = null;
      absent = false;
      due = Instant.EPOCH;
    }
  }

  void health(NodeHealth value) {
    health = value;
  }

  /** What the node is and has from now on. */
  void described(NodeSpec spec) {
    object = object.with(spec);
  }

  /** An unchanged status is written so often from now on. */
  void reportEvery(Duration frequency) {
    if (!frequency.equals(reportFrequency)) {
      reportFrequency = frequency;
      heartbeat = nextHeartbeat(clock.instant());
    }
  }

  /** How the node's kubelet is reached from now on. */
  void reachedAt(KubeletEndpoint value) {
    if (!value.equals(endpoint)) {
      endpoint = value;
      featuresRefused = false;
    }
  }

  /** The object as the server holds it; an older state than the known one changes nothing. */
  void observed(NodeView node) {
    boolean newer =
        current == null
            || !current.uid().equals(node.uid())
            || node.resourceVersion() > current.resourceVersion();
    if (newer && !(current == null && busy)) {
      current = node;
      absent = false;
    }
  }

  /** The watch lost sight of it. It may still exist without our label, so it is read again. */
  void gone(String uid) {
    if (busy) {
      goneMeanwhile = uid;
    }
    if (current != null && current.uid().equals(uid)) {
      current = null;
    }
  }

  Step next() {
    if (!served || busy) {
      return new Step.Idle();
    }
    Instant now = clock.instant();
    if (due.isAfter(now)) {
      return new Step.Wait(Duration.between(now, due));
    }
    Step step = write(now);
    busy = !(step instanceof Step.Wait) && !(step instanceof Step.Idle);
    return step;
  }

  private Step write(Instant now) {
    NodeStatusView wanted = reachable(NodeStatuses.of(object.spec(), health));
    featuresAsked = wanted.declaredFeatures();
    if (current == null && absent) {
      return object.adopted() ? new Step.Idle() : new Step.Create(object.create(wanted, now));
    }
    if (current == null) {
      return new Step.Read();
    }
    Optional<Buffer> metadata = object.metadataPatch(current);
    if (metadata.isPresent()) {
      return new Step.PatchMetadata(metadata.get());
    }
    boolean beat = !heartbeat.isAfter(now);
    Optional<Buffer> status = object.statusPatch(current, wanted, now, beat);
    if (status.isPresent()) {
      return new Step.PatchStatus(status.get(), rebooted(current.status(), wanted));
    }
    writes = 0;
    if (heartbeat.equals(Instant.MAX)) {
      heartbeat = nextHeartbeat(now);
    }
    return new Step.Wait(Duration.between(now, heartbeat));
  }

  private NodeStatusView reachable(NodeStatusView wanted) {
    NodeStatusView before = current == null ? wanted : current.status();
    if (endpoint == null) {
      return wanted.withKubelet(before.kubeletPort(), before.declaredFeatures());
    }
    return wanted.withKubelet(
        endpoint.port(), featuresRefused ? before.declaredFeatures() : endpoint.declaredFeatures());
  }

  private static boolean rebooted(NodeStatusView before, NodeStatusView wanted) {
    String known = before.nodeInfo().getOrDefault(BOOT_ID, "");
    return !known.isEmpty() && !known.equals(wanted.nodeInfo().getOrDefault(BOOT_ID, known));
  }

  /** ±50 %, so that a crowd of nodes does not write together. */
  private Instant nextHeartbeat(Instant now) {
    double factor = 0.5 + random.nextDouble();
    return now.plusMillis((long) (reportFrequency.toMillis() * factor));
  }

  /** A request was answered with the object as it is now. */
  void answered(NodeView node, boolean statusWritten) {
    busy = false;
    failures = 0;
    absent = false;
    writes++;
    due = Instant.EPOCH;
    if (writes > UNHURRIED_WRITES) {
      // somebody takes away what we put there: do not fight at the speed of the network
      due = clock.instant().plus(BACKOFF.delay(writes - UNHURRIED_WRITES, random));
    }
    // the watch may be quicker than the answer to a request that came before the deletion
    current = node.uid().equals(goneMeanwhile) ? null : node;
    goneMeanwhile = null;
    if (statusWritten) {
      featuresAnswered(node.status().declaredFeatures());
      heartbeat = nextHeartbeat(clock.instant());
    }
  }

  /** Says nothing of an endpoint that came while the request was under way. */
  private void featuresAnswered(List<String> kept) {
    if (endpoint != null && endpoint.declaredFeatures().equals(featuresAsked)) {
      featuresRefused = !featuresAsked.equals(kept);
    }
  }

  /** The read found nothing. */
  void notFound() {
    busy = false;
    goneMeanwhile = null;
    absent = true;
    current = null;
    due = Instant.EPOCH;
  }

  void failed(KubeException failure) {
    busy = false;
    goneMeanwhile = null;
    failures++;
    Duration delay = BACKOFF.delay(failures, random, failure);
    switch (failure.recovery()) {
      case REREAD, RELIST -> {
        current = null;
        absent = false;
      }
      case GIVE_UP -> {
        // a server also answers 422 when the object is another node by now (metadata.uid is
        // immutable)
        current = null;
        delay = REFUSED;
      }
      case REAUTHENTICATE -> delay = REFUSED;
      case RETRY -> {}
    }
    due = clock.instant().plus(delay);
  }
}
