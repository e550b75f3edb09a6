package dev.vertlet.configsync;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What configs are for: reads payloads, and makes nodes run by them.
 *
 * @param <C> what a payload is made into
 */
public interface ConfigTarget<C> {
  /**
   * Decodes a payload, lays the flags on top and checks it. Blocks; called on a worker, one call at
   * a time for a node.
   *
   * @param source which version of which ConfigMap it is of: equal texts for equal payloads
   * @param directory where its relative files are
   * @throws ConfigRefusedException when it cannot be used
   */
  C load(String node, String source, byte[] payload, Path directory);

  /**
   * Makes the node run by it. Called on the verticle's context, one call at a time for a node.
   *
   * @param config null for the local one
   * @return fails with a {@link ConfigRefusedException} when somebody refused before anything was
   *     changed, with anything else when nobody knows what runs
   */
  Future<Change> apply(String node, @Nullable C config);

  /** What was assigned takes effect with the next process: this one ends with 0. */
  void exit();

  /**
   * What applying did.
   *
   * @param restarted names of what was made anew
   * @param ignored what the payload sets and the node does not run by
   */
  record Change(List<String> restarted, List<IgnoredField> ignored) {
    public static final Change NONE = new Change(List.of(), List.of());

    public Change {
      restarted = List.copyOf(restarted);
      ignored = List.copyOf(ignored);
    }
  }
}
