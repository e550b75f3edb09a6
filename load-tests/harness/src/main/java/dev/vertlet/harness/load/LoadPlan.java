package dev.vertlet.harness.load;

import java.nio.file.Path;

/**
 * What load to put on which cluster.
 *
 * @param kubeconfig of the cluster
 * @param nodes how many nodes the agent brings, named by {@link #node}
 * @param pods how many pods to create
 * @param placement how they come to their nodes
 * @param namespace of the pods; has to exist
 * @param serviceAccount of the pods; has to exist where the cluster asks for one
 * @param prefix of the names of nodes and pods; nothing else in the cluster may begin with it
 */
public record LoadPlan(
    Path kubeconfig,
    int nodes,
    int pods,
    Placement placement,
    String namespace,
    String serviceAccount,
    String prefix,
    Pace pace) {
  /** Key of the label that nodes and namespace carry; its value is the prefix. */
  public static final String LABEL = "vertlet.dev/load";

  /** The label selector of what belongs to this plan. */
  public String label() {
    return LABEL + "=" + prefix;
  }

  /** The template of an agent's configuration that gives its nodes the names of {@link #node}. */
  public String nodeTemplate() {
    return prefix + "-node-{i}";
  }

  /** Name of a node, from 0. */
  public String node(int index) {
    return nodeTemplate().replace("{i}", Integer.toString(index));
  }

  /** How many pods the fullest node gets when they are spread evenly. */
  public int podsPerNode() {
    return (pods + nodes - 1) / nodes;
  }

  String pod(int index) {
    return podPrefix() + index;
  }

  String nodeOf(int pod) {
    return node(pod % nodes);
  }

  /** Index of a pod of this plan, -1 for any other. */
  int index(String pod) {
    if (!pod.startsWith(podPrefix())) {
      return -1;
    }
    String digits = pod.substring(podPrefix().length());
    try {
      int index = Integer.parseInt(digits);
      return index >= 0 && index < pods && pod(index).equals(pod) ? index : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  boolean owns(String node) {
    return node.startsWith(prefix + "-node-");
  }

  private String podPrefix() {
    return prefix + "-pod-";
  }
}
