package dev.vertlet.kubeletconfig;

import dev.vertlet.problem.Problem;
import java.util.List;

/**
 * One field of KubeletConfiguration v1beta1 and its effect in vertlet.
 *
 * @param path keys from the root, for example {@code [authentication, anonymous, enabled]}
 * @param effect how a change takes effect
 * @param place JSON pointer of the corresponding key in the local configuration, where {@code
 *     /nodes/-} is the node's template; empty for none
 * @param keeps whether the local configuration applies, instead of the default, when a dynamic
 *     config does not set the field
 */
public record KubeletField(
    List<String> path, Type type, Effect effect, String place, boolean keeps) {
  /** How a change takes effect. */
  public enum Effect {
    /** Running components read the new value. */
    LIVE,
    /** A component of the node is recreated. */
    VERTICLE,
    /** The node's kubelet server is reconfigured; only for the primary node on a shared port. */
    SERVER,
    /** Log output changes at once; only for the primary node. */
    LOG,
    /** The process ends, and the next one uses the value; only for the primary node. */
    PROCESS,
    /** The field has no effect in vertlet. */
    IGNORED
  }

  /** Returns the JSON pointer of the field under a section's pointer. */
  public String pointer(String prefix) {
    return prefix + "/" + String.join("/", path);
  }

  /** Whether a problem of a configuration is about this field or what is in its value. */
  public boolean isOf(Problem problem) {
    String own = pointer("");
    return problem.pointer().equals(own) || problem.pointer().startsWith(own + "/");
  }

  /** JSON pointer of what it sets; empty for nothing. */
  public String place(int template) {
    return place.replace(KubeletFields.TEMPLATE, "/nodes/" + template);
  }

  /** Returns whether each node template has its own value. */
  public boolean ofTemplate() {
    return place.startsWith(KubeletFields.TEMPLATE);
  }

  /** Returns the name in messages. */
  public String name() {
    return String.join(".", path);
  }
}
