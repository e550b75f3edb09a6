package dev.vertlet.nodes;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to write for one node. Pure except for its own fields; the verticle sends the
 * requests, at most one at a time.
 *
 * <pre>
 * not served ──lease──▶ unknown ──read: 404──▶ absent ──created──▶ known ──gone──▶ unknown
 *                          └──read: found──────────────────────────▶ known (metadata, then status)
 * </pre>
 *
 * <p>An adopted node that is absent is not created: its watch reports when it appears or is gone. A
 * self-managed one is only read.
 */
final class NodeState {
  /** Next step of the verticle. */
  sealed interface Step {
    record Read() implements Step {}

    record Create(Buffer body) implements Step {}

    record PatchMetadata(Buffer body) implements Step {}

    /**
     * Patches the status.
     *
     * @param rebooted whether the node has rebooted since its status was last written
     */
    record PatchStatus(Buffer body, boolean rebooted) implements Step {}

    /** Do nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Do nothing before an event. */
    record Idle() implements Step {}
  }

  /** 100 ms doubling to 7 s: the kubelet's registration retry. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(7), 2, 0.2);

  /**
   * Delay after a write that the server rejects as invalid or forbidden: an operator may correct
   * the cause.
   */
  private static final Duration REFUSED = Duration.ofSeconds(30);

  private static final String BOOT_ID = "bootID";

  /** Writes without delay: taking a node over needs a read and two writes. */
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

  /** Whether the delay of the last failure ends when the server works again. */
  private boolean endsWithReturn;

  private int writes;
  private @Nullable NodeView current;

  /** Null until it is known: the node's existing endpoint then stays. */
  private @Nullable KubeletEndpoint endpoint;

  /** The server does not keep declared features: it is older, or the feature is disabled. */
  private boolean featuresRefused;

  /** Declared features of the last status to be written. */
  private List<String> featuresAsked = List.of();

  /** UID of the object that the watch lost during a request. */
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

  /** Whether another client created the node. */
  boolean adopted() {
    return object.adopted();
  }

  /** Whether another client writes the node's status, too. */
  boolean selfManaged() {
    return object.selfManaged();
  }

  /** Boot id in the node's status, empty without one. */
  String bootId() {
    return object.spec().nodeInfo().getOrDefault(BOOT_ID, "");
  }

  /** UID of the last known object, empty if none is known. */
  String uid() {
    return current == null ? "" : current.uid();
  }

  /** Status of the Ready condition on the server, empty if unknown. */
  String ready() {
    NodeConditionView ready = readyCondition();
    return ready == null ? "" : ready.status();
  }

  /** Message of the server's Ready condition while it is not True; empty otherwise. */
  String notReady() {
    NodeConditionView ready = readyCondition();
    return ready == null || ready.status().equals("True") ? "" : ready.message();
  }

  private @Nullable NodeConditionView readyCondition() {
    return current == null ? null : current.status().condition("Ready");
  }

  void served(boolean value) {
    served = value;
    if (value) {
      // another agent may have written it meanwhile
      current = null;
      absent = false;
      due = Instant.EPOCH;
    }
  }

  void health(NodeHealth value) {
    health = value;
  }

  /** Replaces the description of the node. */
  void described(NodeSpec spec) {
    object = object.with(spec);
  }

  /** Sets the interval at which an unchanged status is written. */
  void reportEvery(Duration frequency) {
    if (!frequency.equals(reportFrequency)) {
      reportFrequency = frequency;
      heartbeat = nextHeartbeat(clock.instant());
    }
  }

  /** Makes a heartbeat due now: the node controller ignores the last renewal of the lease. */
  void beatNow() {
    heartbeat = Instant.EPOCH;
  }

  /** Sets the node's kubelet endpoint. */
  void reachedAt(KubeletEndpoint value) {
    if (!value.equals(endpoint)) {
      endpoint = value;
      featuresRefused = false;
    }
  }

  /** Takes a version of the object; an older version than the known one is ignored. */
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

  /** The watch lost the object. It may still exist without our label, so it is read again. */
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
    if (object.selfManaged()) {
      return new Step.Idle();
    }
    Optional<Buffer> metadata = object.metadataPatch(current);
    if (metadata.isPresent()) {
      return new Step.PatchMetadata(metadata.get());
    }
    if (object.leavesStatus()) {
      writes = 0;
      return new Step.Idle();
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

  /** Varies by ±50 %, so that many nodes do not write together. */
  private Instant nextHeartbeat(Instant now) {
    double factor = 0.5 + random.nextDouble();
    return now.plusMillis((long) (reportFrequency.toMillis() * factor));
  }

  /** A request was answered with the current object. */
  void answered(NodeView node, boolean statusWritten) {
    busy = false;
    failures = 0;
    absent = false;
    writes++;
    due = Instant.EPOCH;
    if (writes > UNHURRIED_WRITES) {
      // another client reverts our writes: do not compete at the speed of the network
      due = clock.instant().plus(BACKOFF.delay(writes - UNHURRIED_WRITES, random));
    }
    // the watch may report a deletion before the answer of an earlier request arrives
    current = node.uid().equals(goneMeanwhile) ? null : node;
    goneMeanwhile = null;
    if (statusWritten) {
      featuresAnswered(node.status().declaredFeatures());
      heartbeat = nextHeartbeat(clock.instant());
    }
  }

  /**
   * Learns whether the server keeps declared features; ignored if the endpoint changed during the
   * request.
   */
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

  /** Ends the delay of a failure that was the server's fault: the server works again. */
  void serverReturned() {
    if (failures > 0 && endsWithReturn) {
      failures = 0;
      due = Instant.EPOCH;
    }
  }

  /** Permits the next request at once, whatever delay a failure caused. */
  void retryNow() {
    due = Instant.EPOCH;
  }

  void failed(KubeException failure) {
    busy = false;
    goneMeanwhile = null;
    failures++;
    endsWithReturn = failure.endsWithReturn();
    Duration delay = BACKOFF.delay(failures, random, failure);
    switch (failure.recovery()) {
      case REREAD, RELIST -> {
        current = null;
        absent = false;
      }
      case GIVE_UP -> {
        // a server also answers 422 if the object is another node by now (metadata.uid is
        // immutable)
        current = null;
        delay = REFUSED;
      }
      case AUTHORIZE -> delay = REFUSED;
      case RETRY, REAUTHENTICATE -> {}
    }
    due = clock.instant().plus(delay);
  }
}
