package dev.vertlet.apiserver.state;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * What a state file holds. The trees are frozen.
 *
 * @param revision the latest revision
 * @param objects objects by the type they are stored under
 * @param secrets what else the server needs to be the same again, such as its certificates
 */
public record Snapshot(
    long revision, Map<String, List<ObjectNode>> objects, Map<String, String> secrets) {
  public Snapshot {
    objects = Map.copyOf(objects);
    secrets = Map.copyOf(secrets);
  }

  /** Hides the content. */
  @Override
  public String toString() {
    return "Snapshot[revision=%d]".formatted(revision);
  }
}
