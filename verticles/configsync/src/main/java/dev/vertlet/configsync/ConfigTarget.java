package dev.vertlet.configsync;

import dev.vertlet.problem.IgnoredField;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads, and makes nodes run with them.
 *
 * @param <C> type of a decoded payload
 */
public interface ConfigTarget<C> {
  /**
   * Decodes a payload, applies the flags on top and validates it. Blocks; called on a worker, one
   * call at a time for a node.
   *
   * @param source version of the ConfigMap: equal strings for equal payloads
   * @param directory base of the payload's relative paths
   * @throws ConfigRefusedException when the payload cannot be used
   */
  C load(String node, String source, byte[] payload, Path directory);

  /**
   * Makes the node run with a config. Called on the verticle's context, one call at a time for a
   * node.
   *
   * @param config null for the local one
   * @return fails with a {@link ConfigRefusedException} when a component refused the config before
   *     anything was changed, with any other exception when the running config is unknown
   */
  Future<Change> apply(String node, @Nullable C config);

  /** Ends this process with 0: the assigned config takes effect in the next one. */
  void exit();

  /**
   * Effect of applying a config.
   *
   * @param restarted names of restarted verticles
   * @param ignored fields that the payload sets and the node ignores
   */
  record Change(List<String> restarted, List<IgnoredField> ignored) {
    public static final Change NONE = new Change(List.of(), List.of());

    public Change {
      restarted = List.copyOf(restarted);
      ignored = List.copyOf(ignored);
    }
  }
}
