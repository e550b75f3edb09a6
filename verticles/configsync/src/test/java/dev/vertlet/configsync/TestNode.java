package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigAction.Operation;
import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigEvent.Rejected;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.StoredMeta;
import dev.vertlet.configsync.store.StoredMeta.Assigned;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node with what surrounds its {@link ConfigSync}: an API server, a disk and configs that work
 * or do not. All of it can be changed at any time; a restart keeps all but the decisions.
 */
final class TestNode {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Versions of the ConfigMaps there are, by name. */
  final Map<String, ResolvedSource> server = new HashMap<>();

  /** How often something cannot be loaded or applied, and why. */
  final Map<ResolvedSource, ConfigError> unloadable = new HashMap<>();

  final Map<ResolvedSource, ConfigError> unappliable = new HashMap<>();

  /** Checkpoints that were damaged: loading fails until they are repaired. */
  final Set<ResolvedSource> damaged = new HashSet<>();

  /** In whose load the process ends. */
  final Set<ResolvedSource> deadly = new HashSet<>();

  /** How long a config must run before it counts as good. */
  static final Duration TRIAL = Duration.ofMinutes(10);

  boolean serverDown;
  boolean diskFull;
  Instant now = BEGIN;

  private ConfigSync sync = new ConfigSync(TRIAL, false, new Random(1));
  private boolean exits;
  private @Nullable Operation pending;
  private final List<ConfigAction> done = new ArrayList<>();

  // the disk
  private Assigned assigned = new Assigned.Local();
  private @Nullable ResolvedSource lastKnownGood;
  private final Set<String> checkpoints = new HashSet<>();
  private final Set<ResolvedSource> fatal = new HashSet<>();

  ConfigSync sync() {
    return sync;
  }

  List<ConfigAction> done() {
    return done;
  }

  TestNode exitsOnChange() {
    exits = true;
    return this;
  }

  Phase phase() {
    return sync.phase();
  }

  @Nullable Operation pending() {
    return pending;
  }

  @Nullable ResolvedSource storedLastKnownGood() {
    return lastKnownGood;
  }

  /** Overwrites the record with something else. */
  void corruptAssigned() {
    assigned = new Assigned.Corrupt("abc");
  }

  @Nullable ResolvedSource storedAssigned() {
    return assigned instanceof Assigned.Remote remote ? remote.source() : null;
  }

  /** Publishes the next version of a ConfigMap, under the name's UID. */
  ResolvedSource publish(String name, int version) {
    ResolvedSource source = Sources.resolved(name, version);
    server.put(name, source);
    return source;
  }

  /** A new process on the same disk. */
  TestNode restart() {
    sync = new ConfigSync(TRIAL, exits, new Random(1));
    pending = null;
    done.clear();
    return tell(new ConfigEvent.Started(new StoredMeta(assigned, lastKnownGood, fatal)));
  }

  /** Another agent, which has nothing of the node on its disk. */
  TestNode move() {
    assigned = new Assigned.Local();
    lastKnownGood = null;
    checkpoints.clear();
    return restart();
  }

  /** The Node as an agent first sees it. */
  TestNode see(DeclaredSource declared, @Nullable ResolvedSource good) {
    return tell(new ConfigEvent.NodeSeen(declared, true, good));
  }

  TestNode declare(DeclaredSource declared) {
    return tell(new ConfigEvent.NodeSeen(declared, false));
  }

  TestNode touch() {
    return tell(new ConfigEvent.ConfigMapTouched());
  }

  TestNode after(Duration time) {
    now = now.plus(time);
    return tell(new ConfigEvent.Tick(now));
  }

  /** Says it, and answers whatever is asked until nothing is. */
  TestNode tell(ConfigEvent event) {
    hear(event);
    while (pending != null) {
      if (pending instanceof ConfigAction.Load load && deadly.contains(load.source())) {
        fatal.add(load.source());
        return restart();
      }
      answer();
    }
    return this;
  }

  /** Says it and answers nothing. */
  TestNode hear(ConfigEvent event) {
    take(sync.on(event));
    return this;
  }

  /** Answers what is asked. */
  TestNode answer() {
    Operation operation = pending;
    if (operation == null) {
      throw new AssertionError("nothing was asked");
    }
    pending = null;
    take(sync.on(answer(operation)));
    return this;
  }

  TestNode forget() {
    done.clear();
    return this;
  }

  private void take(List<ConfigAction> actions) {
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i) instanceof Operation operation) {
        if (pending != null || i != actions.size() - 1) {
          throw new AssertionError("an operation while there is one, or not the last: " + actions);
        }
        pending = operation;
      }
    }
    done.addAll(actions);
  }

  private Answer answer(Operation operation) {
    if (operation instanceof ConfigAction.Download download) {
      ResolvedSource found = serverDown ? null : server.get(download.source().name());
      return found == null
          ? new ConfigEvent.DownloadFailed("not found")
          : new ConfigEvent.Downloaded(
              found.uid(), found.resourceVersion(), Map.of("kubelet", "x"));
    }
    if (operation instanceof ConfigAction.Load load) {
      return load(load.source());
    }
    if (operation instanceof ConfigAction.Apply apply) {
      ConfigError error = unappliable.get(apply.source());
      return error == null ? new ConfigEvent.Applied() : new Rejected(error, "no");
    }
    return diskFull ? new ConfigEvent.WriteFailed("disk full") : write(operation);
  }

  private Answer load(ResolvedSource source) {
    ConfigError error = damaged.contains(source) ? ConfigError.LOAD : unloadable.get(source);
    return error == null ? new ConfigEvent.Loaded() : new Rejected(error, "no");
  }

  private Answer write(Operation operation) {
    if (operation instanceof ConfigAction.WriteAssigned write) {
      assigned =
          write.source() == null ? new Assigned.Local() : new Assigned.Remote(write.source(), now);
      return new ConfigEvent.Written(now);
    }
    if (operation instanceof ConfigAction.WriteLastKnownGood write) {
      lastKnownGood = write.source();
      return new ConfigEvent.Written(now);
    }
    if (operation instanceof ConfigAction.RepairCheckpoint repair) {
      return new ConfigEvent.Saved(!damaged.remove(repair.source()));
    }
    if (operation instanceof ConfigAction.SaveCheckpoint save) {
      String version = save.source().uid() + "/" + save.source().resourceVersion();
      return new ConfigEvent.Saved(!checkpoints.add(version));
    }
    throw new AssertionError(operation);
  }

  /** What is told: {@code A=c1@1 V=c1@1 G=- E=LOAD}. */
  String state() {
    ConfigFacts facts = sync.facts();
    String error = "-";
    for (ConfigError each : ConfigError.values()) {
      error = each.text().equals(facts.error()) ? each.name() : error;
    }
    return "A=%s V=%s G=%s E=%s"
        .formatted(
            show(facts.assigned()), show(facts.active()), show(facts.lastKnownGood()), error);
  }

  static String show(@Nullable ResolvedSource source) {
    if (source == null) {
      return "-";
    }
    String key = source.source().key();
    return source.source().name()
        + "@"
        + source.resourceVersion()
        + (key.equals("kubelet") ? "" : "/" + key);
  }

  /** What was asked for and done, without what goes to logs and status. */
  List<String> deeds() {
    return done.stream().map(TestNode::deed).filter(deed -> !deed.isEmpty()).toList();
  }

  private static String deed(ConfigAction action) {
    if (action instanceof ConfigAction.Download download) {
      return "download " + download.source().name();
    }
    if (action instanceof ConfigAction.SaveCheckpoint save) {
      return "save " + show(save.source());
    }
    if (action instanceof ConfigAction.RepairCheckpoint repair) {
      return "repair " + show(repair.source());
    }
    if (action instanceof ConfigAction.WriteAssigned write) {
      return "assign " + show(write.source());
    }
    if (action instanceof ConfigAction.WriteLastKnownGood write) {
      return "trust " + show(write.source());
    }
    if (action instanceof ConfigAction.Load load) {
      return "load " + show(load.source());
    }
    if (action instanceof ConfigAction.Apply apply) {
      return "apply " + show(apply.source());
    }
    if (action instanceof ConfigAction.SendEvent event) {
      return "event " + show(event.source());
    }
    if (action instanceof ConfigAction.ScheduleRetry) {
      return "retry";
    }
    if (action instanceof ConfigAction.Serve) {
      return "serve";
    }
    if (action instanceof ConfigAction.GiveUp) {
      return "give up";
    }
    if (action instanceof ConfigAction.Exit) {
      return "exit";
    }
    return action instanceof ConfigAction.CollectGarbage ? "collect" : "";
  }

  /** Statuses in the order they were asked for. */
  List<NodeConfigStatus> statuses() {
    return done.stream()
        .filter(ConfigAction.WriteStatus.class::isInstance)
        .map(action -> ((ConfigAction.WriteStatus) action).status())
        .toList();
  }
}
