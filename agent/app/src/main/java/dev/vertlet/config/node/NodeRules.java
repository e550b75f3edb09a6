package dev.vertlet.config.node;

import dev.vertlet.model.Names;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import dev.vertlet.server.IpAddresses;
import java.util.Map;

/** The API server's rules for parts of a Node, wherever one is described. */
public final class NodeRules {
  private NodeRules() {}

  /** Keys of labels, annotations and the like. */
  public static void keys(Map<String, ?> map, Problems problems) {
    map.keySet()
        .forEach(
            key ->
                Names.checkLabelKey(key)
                    .ifPresent(rule -> problems.about(Pointers.of(key), "the key: " + rule)));
  }

  /**
   * @param labels texts by key
   */
  public static void labels(Map<String, ?> labels, Problems problems) {
    keys(labels, problems);
    labels.forEach(
        (key, value) -> {
          String text = String.valueOf(value);
          problems.rule(Names.checkLabelValue(text), Pointers.of(key), text);
        });
  }

  /** Key and value of a taint, whose place is that of the problems. */
  public static void taint(String key, String value, Problems problems) {
    problems
        .rule(Names.checkLabelKey(key), "/key", key)
        .rule(Names.checkLabelValue(value), "/value", value);
  }

  /** A node's address, whose place is that of the problems. */
  public static void address(String type, String address, Problems problems) {
    if (!type.endsWith("IP")) {
      problems.rule(Names.checkSubdomain(address), "/address", address);
    } else if (!IpAddresses.isIp(address)) {
      problems.refuse("/address", address, "must be an IPv4 or IPv6 address");
    }
  }
}
