package dev.vertlet.rollout;

import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.rollout.ConfigNode.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Assigns a config to nodes in two stages and stops at the first node that cannot use it. */
final class Rollout {
  private static final Duration LOOK = Duration.ofMillis(500);

  private final RolloutApi api;
  private final @Nullable ConfigSource source;

  /** Value of the annotation; null for none. */
  private final @Nullable String wanted;

  private final Duration timeout;
  private final Consumer<String> out;

  /**
   * @param source source of the config; null for the local config
   * @param timeout time limit of each stage
   * @param out receives one line per event
   */
  Rollout(RolloutApi api, @Nullable ConfigSource source, Duration timeout, Consumer<String> out) {
    this.api = api;
    this.source = source;
    this.wanted = source == null ? null : source.json();
    this.timeout = timeout;
    this.out = out;
  }

  /**
   * @param canary number of nodes in the first stage; the others follow once these run the config
   * @return whether all nodes run by it
   */
  boolean run(List<ConfigNode> nodes, int canary) throws InterruptedException {
    List<ConfigNode> first = nodes.subList(0, Math.min(canary, nodes.size()));
    List<ConfigNode> rest = nodes.subList(first.size(), nodes.size());
    forgetEarlier(rest);
    if (!stage(first)) {
      if (!rest.isEmpty()) {
        out.accept("paused: %d nodes keep their configs".formatted(rest.size()));
      }
      return false;
    }
    return rest.isEmpty() || stage(rest);
  }

  /** Removes what an earlier rollout recorded: an abort of this one must not restore it. */
  private void forgetEarlier(List<ConfigNode> nodes) throws InterruptedException {
    for (ConfigNode node : nodes) {
      if (node.annotation(ConfigNode.BEFORE) != null
          && !Objects.equals(node.annotation(ConfigAnnotations.SOURCE), wanted)) {
        Map<String, @Nullable String> annotations = new HashMap<>();
        annotations.put(ConfigNode.BEFORE, null);
        api.annotate(node.name(), annotations);
      }
    }
  }

  private boolean stage(List<ConfigNode> nodes) throws InterruptedException {
    for (ConfigNode node : nodes) {
      api.annotate(node.name(), annotations(node));
    }
    Set<String> waiting = new LinkedHashSet<>();
    nodes.forEach(node -> waiting.add(node.name()));
    return await(waiting);
  }

  private Map<String, @Nullable String> annotations(ConfigNode node) {
    Map<String, @Nullable String> annotations = new HashMap<>();
    String before = node.annotation(ConfigAnnotations.SOURCE);
    annotations.put(ConfigAnnotations.SOURCE, wanted);
    if (!Objects.equals(before, wanted)) {
      annotations.put(ConfigNode.BEFORE, before == null ? "null" : before);
    }
    return annotations;
  }

  private boolean await(Set<String> waiting) throws InterruptedException {
    int all = waiting.size();
    long until = System.nanoTime() + timeout.toNanos();
    while (true) {
      int before = waiting.size();
      for (String name : List.copyOf(waiting)) {
        ConfigNode node = api.get(name);
        Progress progress = node.progress(source);
        if (progress == Progress.FAILED) {
          out.accept(name + " fails: " + node.message());
          return false;
        }
        if (progress == Progress.RUNNING) {
          waiting.remove(name);
        }
      }
      if (waiting.size() < before) {
        out.accept(
            "%d of %d nodes run by %s"
                .formatted(all - waiting.size(), all, source == null ? "local config" : source));
      }
      if (waiting.isEmpty()) {
        return true;
      }
      if (System.nanoTime() - until >= 0) {
        out.accept("still waiting for " + String.join(", ", few(waiting)));
        return false;
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  private static List<String> few(Set<String> names) {
    List<String> all = new ArrayList<>(names);
    return all.size() <= 5 ? all : List.of(all.get(0), "and " + (all.size() - 1) + " more");
  }

  /**
   * Restores the assignments before the rollout.
   *
   * @return number of changed nodes
   */
  static int abort(RolloutApi api, List<ConfigNode> nodes) throws InterruptedException {
    int changed = 0;
    for (ConfigNode node : nodes) {
      String before = node.annotation(ConfigNode.BEFORE);
      if (before != null) {
        Map<String, @Nullable String> annotations = new HashMap<>();
        annotations.put(ConfigAnnotations.SOURCE, before.equals("null") ? null : before);
        annotations.put(ConfigNode.BEFORE, null);
        api.annotate(node.name(), annotations);
        changed++;
      }
    }
    return changed;
  }
}
