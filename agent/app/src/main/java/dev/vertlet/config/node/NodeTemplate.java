package dev.vertlet.config.node;

import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.problem.Problems;
import dev.vertlet.sources.NodeSources;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code nodes}: the settings of {@code count} nodes, under their keys. Checked when it
 * is expanded, as most checks compare it with the other templates.
 *
 * @param name with <code>{i}</code> for the index of the node; empty for adopted nodes
 * @param adopt selects the adopted Node objects; null for nodes that the agent creates
 * @param taints null for the default taint, which names the provider
 * @param capacity as written, without the defaults
 * @param evictionHard thresholds by signal; null for a kubelet's defaults
 * @param evictionSoftGracePeriod durations by signal
 * @param evictionMaxPodGracePeriod seconds
 * @param evictionPressureTransitionPeriod a duration
 * @param addresses null for the host's addresses
 * @param podCIDRMask null for the default, which follows from the number of pods
 * @param staticPodPath with <code>{node}</code> for the node's name and <code>{i}</code> for its
 *     index; empty for none
 * @param staticPodURL with the same placeholders
 */
public record NodeTemplate(
    String name,
    int count,
    @Nullable Adopt adopt,
    String provider,
    Map<String, String> labels,
    Map<String, String> annotations,
    @Nullable List<TaintView> taints,
    Map<String, String> capacity,
    Map<String, String> kubeReserved,
    Map<String, String> systemReserved,
    @Nullable Map<String, String> evictionHard,
    Map<String, String> evictionSoft,
    Map<String, String> evictionSoftGracePeriod,
    Map<String, String> evictionMinimumReclaim,
    int evictionMaxPodGracePeriod,
    String evictionPressureTransitionPeriod,
    int imageGCHighThresholdPercent,
    int imageGCLowThresholdPercent,
    Duration imageMinimumGCAge,
    Duration imageMaximumGCAge,
    int kubeAPIQPS,
    int kubeAPIBurst,
    int eventRecordQPS,
    int eventBurst,
    @Nullable List<NodeAddressView> addresses,
    String podCIDR,
    @Nullable Integer podCIDRMask,
    String operatingSystem,
    String architecture,
    String staticPodPath,
    String staticPodURL) {
  /**
   * Block for adopted nodes without a pod CIDR: 16,384 times a /24 of the range that RFC 6598
   * reserves. Neither clusters nor the default template use addresses of that range.
   */
  public static final String ADOPTED_POD_CIDR = "100.64.0.0/10";

  /** Placeholder for the index of the node in its template. */
  static final String INDEX = "{i}";

  private static final String NODE = "{node}";

  /**
   * Selects Node objects that other tools create.
   *
   * @param selfManaged whether they also write the nodes' status and Leases
   */
  public record Adopt(String labelSelector, boolean selfManaged) {}

  /** Returns whether the template adopts Node objects instead of creating them. */
  boolean adopts() {
    return adopt != null;
  }

  /** Returns the label selector of the adopted Node objects; empty for created nodes. */
  String labelSelector() {
    return adopt == null ? "" : adopt.labelSelector();
  }

  /** Returns whether other tools write the status and Leases of the nodes. */
  boolean selfManaged() {
    return adopt != null && adopt.selfManaged();
  }

  String nameOf(int index) {
    return name.replace(INDEX, Integer.toString(index));
  }

  /** Fills in the placeholders of a path or URL for one node. */
  String placeOf(String template, int index) {
    return template.replace(INDEX, Integer.toString(index)).replace(NODE, nameOf(index));
  }

  Reserved reserved() {
    return new Reserved(kubeReserved, systemReserved);
  }

  /**
   * Returns the image garbage collection; of use only where it adds no problems.
   *
   * @param problems whose place is the template's
   */
  ImageGcOptions imageGc(Problems problems) {
    int before = problems.size();
    problems
        .that(
            imageGCLowThresholdPercent <= imageGCHighThresholdPercent,
            "/imageGCLowThresholdPercent",
            imageGCLowThresholdPercent,
            "must not be above imageGCHighThresholdPercent, which is "
                + imageGCHighThresholdPercent)
        .that(
            imageMaximumGCAge.isZero() || imageMaximumGCAge.compareTo(imageMinimumGCAge) > 0,
            "/imageMaximumGCAge",
            GoDuration.format(imageMaximumGCAge),
            "must be longer than imageMinimumGCAge, or 0s");
    return problems.size() > before
        ? ImageGcOptions.DEFAULTS
        : new ImageGcOptions(
            imageGCHighThresholdPercent,
            imageGCLowThresholdPercent,
            imageMinimumGCAge,
            imageMaximumGCAge);
  }

  /** Returns the static pod sources of one node; the template has been checked. */
  NodeSources sources(int index) {
    String path = placeOf(staticPodPath, index);
    String url = placeOf(staticPodURL, index);
    return new NodeSources(
        nameOf(index),
        path.isEmpty() ? null : Path.of(path),
        url.isEmpty() ? null : URI.create(url));
  }
}
