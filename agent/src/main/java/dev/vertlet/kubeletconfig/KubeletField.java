package dev.vertlet.kubeletconfig;

import dev.vertlet.problem.Problem;
import java.util.List;

/**
 * A field of KubeletConfiguration v1beta1, and what it means here.
 *
 * @param path from the root, for example {@code [authentication, anonymous, enabled]}
 * @param effect what changing it takes
 * @param place JSON pointer of what it sets in the local configuration, where {@code /nodes/-} is
 *     the node's template; empty for nothing
 * @param keeps whether the local configuration counts where a payload says nothing, instead of the
 *     default
 */
public record KubeletField(
    List<String> path, Type type, Effect effect, String place, boolean keeps) {
  /** What it takes to put a change in force. */
  public enum Effect {
    /** Read anew by what runs. */
    LIVE,
    /** A part of the node is made anew. */
    VERTICLE,
    /** Its kubelet is served anew; of the primary node alone where all share a port. */
    SERVER,
    /** Lines of the log are written by it at once; of the primary node alone. */
    LOG,
    /** The process ends and its successor runs by it; of the primary node alone. */
    PROCESS,
    /** Nothing here is configured by it. */
    IGNORED
  }

  /** Under a section that a JSON pointer names. */
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

  /** Whether each node template has its own. */
  public boolean ofTemplate() {
    return place.startsWith(KubeletFields.TEMPLATE);
  }

  /** As messages name it. */
  public String name() {
    return String.join(".", path);
  }
}
