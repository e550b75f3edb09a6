package dev.vertlet.cri.sandbox;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Labels by which an agent knows its own sandboxes and containers. It touches nothing without them.
 *
 * @param agent identity of the agent, the same after its restart
 */
public record PodMarks(String agent) {
  /** Name of the node that the pod is bound to. */
  public static final String NODE = "vertlet.dev/node";

  /** Identity of the agent that made a sandbox or container. */
  public static final String AGENT = "vertlet.dev/agent";

  /** Image of a container as its pod names it; an annotation. */
  public static final String IMAGE = "vertlet.dev/image";

  private static final int DIGITS = 16;

  /**
   * Derives an identity from the directory of the agent's pods, which no other agent of the machine
   * has.
   */
  public static PodMarks of(Path podsDir) {
    try {
      byte[] path =
          podsDir.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(path);
      return new PodMarks(HexFormat.of().formatHex(hash).substring(0, DIGITS));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /** Labels of what belongs to a node. */
  public Map<String, String> of(String node) {
    return Map.of(NODE, node, AGENT, agent);
  }

  /** Selects everything of the agent. */
  public Map<String, String> selector() {
    return Map.of(AGENT, agent);
  }

  /** Adds the marks to labels. */
  Map<String, String> addTo(Map<String, String> labels, String node) {
    Map<String, String> marked = new HashMap<>(labels);
    marked.putAll(of(node));
    return marked;
  }

  /** Whether labels carry the marks of this agent. */
  public boolean own(Map<String, String> labels) {
    return agent.equals(labels.get(AGENT)) && labels.containsKey(NODE);
  }
}
