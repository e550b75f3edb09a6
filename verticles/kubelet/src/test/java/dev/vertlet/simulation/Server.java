package dev.vertlet.simulation;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.watch.SimulatedWatch;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a cluster as its API server keeps them, and what users and controllers do to them.
 */
final class Server implements SimulatedWatch.Server {
  static final String NAMESPACE = "ns";

  private static final Kind[] TROUBLES = {
    Kind.TRANSPORT, Kind.TIMEOUT, Kind.SERVER_ERROR, Kind.THROTTLED, Kind.UNAUTHORIZED
  };

  private final SplittableRandom random;
  private final Clock clock;
  private final Journal journal;
  private final WriteRules rules;
  private final Map<String, PodView> pods = new TreeMap<>();

  /** By UID. */
  private final Map<String, JsonObject> statuses = new HashMap<>();

  private final List<SimulatedWatch.Change> log = new ArrayList<>();
  private long revision = 100;
  private long compacted = 100;
  private int trouble;
  private boolean away;
  private boolean down;
  private Runnable watcher = () -> {};

  Server(SplittableRandom random, Clock clock, Journal journal, WriteRules rules) {
    this.random = random;
    this.clock = clock;
    this.journal = journal;
    this.rules = rules;
  }

  /** Whoever is told of changes from now on. */
  void watchedBy(Runnable told) {
    watcher = told;
  }

  /**
   * @param percent of the requests fail
   */
  void trouble(int percent) {
    trouble = percent;
  }

  /** Nothing is answered while it is away. */
  void away(boolean gone) {
    away = gone;
  }

  /** It is away, and what is sent to it arrives nowhere. */
  void down(boolean gone) {
    away = gone;
    down = gone;
  }

  @Override
  public @Nullable Kind trouble() {
    if (away) {
      return Kind.TRANSPORT;
    }
    return random.nextInt(100) < trouble ? TROUBLES[random.nextInt(TROUBLES.length)] : null;
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public List<PodView> pods() {
    return List.copyOf(pods.values());
  }

  @Override
  public SimulatedWatch.@Nullable Change after(long at) {
    // revisions have no gaps
    int index = (int) (at - compacted);
    return index < log.size() ? log.get(Math.max(0, index)) : null;
  }

  @Override
  public boolean expired(long at) {
    return at < compacted;
  }

  void compact() {
    compacted = revision;
    log.clear();
  }

  @Nullable PodView pod(String name) {
    return pods.get(name);
  }

  void create(PodView pod) {
    statuses.put(pod.uid(), new JsonObject());
    store("create", pod);
  }

  /** As a user changes it. */
  void change(String name, String what, UnaryOperator<PodView> change) {
    PodView pod = pods.get(name);
    if (pod != null) {
      store(what, change.apply(pod));
    }
  }

  /** A pod that has ended goes at once, as does one without a grace. */
  void delete(String name, long grace) {
    PodView pod = pods.get(name);
    if (pod == null) {
      return;
    }
    Long before = pod.deletionGracePeriodSeconds();
    if (pod.status().phase().terminal() || grace == 0) {
      remove(pod, "force");
    } else if (before == null || before > grace) {
      store("delete", PodShapes.deleted(pod, clock.instant().plusSeconds(grace), grace));
    }
  }

  /** A controller writes a status that is none of its business. */
  void meddle(String name, JsonObject patch) {
    PodView pod = pods.get(name);
    if (pod != null) {
      write(pod, patch, "meddle");
      rules.written(pod.ref(), revision, true);
    }
  }

  /** A request of the agent, whose effect is now. */
  KubeResponse handle(KubeRequest request, Wire.Sent sent) {
    if (down) {
      throw failure(Kind.TRANSPORT, 0);
    }
    String[] path = request.path().path().split("/");
    PodView pod = pods.get(path[6]);
    if (pod == null) {
      throw failure(Kind.NOT_FOUND, 404);
    }
    if (request.verb() == Verb.GET) {
      return whole(pod);
    }
    if (!pod.uid().equals(sent.uid())) {
      throw request.verb() == Verb.PATCH ? failure(Kind.INVALID, 422) : failure(Kind.CONFLICT, 409);
    }
    if (request.verb() == Verb.PATCH) {
      Buffer body = request.body();
      JsonObject patch = new JsonObject(body).getJsonObject("status");
      PodStatusView before = pod.status();
      PodView after = write(pod, patch, "patch");
      rules.patched(before, after, sent);
      if (after.resourceVersion() > pod.resourceVersion()) {
        rules.written(pod.ref(), revision, false);
      }
      return metadata(after);
    }
    rules.removed(pod);
    remove(pod, "remove");
    return metadata(pod);
  }

  private PodView write(PodView pod, JsonObject patch, String what) {
    JsonObject held = Objects.requireNonNull(statuses.get(pod.uid()));
    JsonObject merged = StatusMerge.merge(held, patch);
    if (merged.equals(held)) {
      return pod;
    }
    statuses.put(pod.uid(), merged);
    return store(what, pod.withStatus(StatusMerge.decode(merged)));
  }

  private PodView store(String what, PodView pod) {
    PodView stored = PodShapes.at(pod, ++revision);
    pods.put(pod.name(), stored);
    log.add(new SimulatedWatch.Change(revision, new WatchEvent.Upsert<>(stored)));
    note(what, stored);
    watcher.run();
    return stored;
  }

  private void remove(PodView pod, String what) {
    pods.remove(pod.name());
    statuses.remove(pod.uid());
    PodView last = PodShapes.at(pod, ++revision);
    log.add(new SimulatedWatch.Change(revision, WatchEvent.Deleted.of(last)));
    note(what, last);
    watcher.run();
  }

  private void note(String what, PodView pod) {
    journal.note(
        31 * revision + clock.millis(),
        () ->
            String.format(
                "%s api %s %s rv %d %s %s",
                clock.instant(),
                what,
                pod.uid(),
                pod.resourceVersion(),
                pod.deleting() ? "deleting" : "",
                statuses.get(pod.uid())));
  }

  private KubeResponse whole(PodView pod) {
    JsonObject metadata =
        new JsonObject()
            .put("name", pod.name())
            .put("namespace", pod.namespace())
            .put("uid", pod.uid())
            .put("resourceVersion", Long.toString(pod.resourceVersion()));
    if (pod.deleting()) {
      metadata.put("deletionTimestamp", String.valueOf(pod.deletionTimestamp()));
    }
    JsonObject json =
        new JsonObject()
            .put("metadata", metadata)
            .put("spec", new JsonObject())
            .put("status", statuses.get(pod.uid()));
    return new KubeResponse(200, "application/json", json.toBuffer());
  }

  private static KubeResponse metadata(PodView pod) {
    String json =
        "{\"metadata\":{\"uid\":\""
            + pod.uid()
            + "\",\"resourceVersion\":\""
            + pod.resourceVersion()
            + "\"}}";
    return new KubeResponse(200, "application/json", Buffer.buffer(json));
  }

  static KubeException failure(Kind kind, int status) {
    return new KubeException(kind, status, "simulated " + kind, null, null);
  }

  static JsonObject phase(String phase, String reason) {
    return new JsonObject().put("phase", phase).put("reason", reason);
  }

  static JsonObject condition(String type, String value) {
    return new JsonObject()
        .put(
            "conditions",
            new JsonArray().add(new JsonObject().put("type", type).put("status", value)));
  }

  static PodRef ref(String name, int number) {
    return new PodRef(NAMESPACE, name, "uid-" + number);
  }
}
