package dev.vertlet.harness.load;

import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A scenario on a cluster, with names.
 *
 * @param kubeconfig of the cluster
 * @param prefix of the names of nodes, pods and Deployments; nothing else in the cluster may begin
 *     with it
 * @param namespace of the pods, or what the names of several begin with; have to exist
 * @param serviceAccount of the pods; has to exist where the cluster asks for one
 */
public record LoadPlan(
    Path kubeconfig, String prefix, String namespace, String serviceAccount, Scenario scenario) {
  /** Key of the label that all objects of a load carry; its value is the prefix. */
  public static final String LABEL = "vertlet.dev/load";

  /** The label selector of what belongs to this plan. */
  public String label() {
    return LABEL + "=" + prefix;
  }

  /** How many nodes the agent brings, named by {@link #node}. */
  public int nodes() {
    return scenario.nodes();
  }

  public Placement placement() {
    return scenario.placement();
  }

  /** The template of an agent's configuration that gives its nodes the names of {@link #node}. */
  public String nodeTemplate() {
    return prefix + "-node-{i}";
  }

  /** Name of a node, from 0. */
  public String node(int index) {
    return nodeTemplate().replace("{i}", Integer.toString(index));
  }

  /** All nodes, in their order. */
  public List<String> nodeNames() {
    return IntStream.range(0, nodes()).mapToObj(this::node).toList();
  }

  /** How many pods the fullest node has to have room for when they are spread evenly. */
  public int podsPerNode() {
    return (scenario.mostPods() + nodes() - 1) / nodes();
  }

  /** All namespaces. */
  public List<String> namespaces() {
    return IntStream.range(0, scenario.namespaces()).mapToObj(this::namespace).toList();
  }

  /** Name of a namespace, from 0. */
  public String namespace(int index) {
    return scenario.namespaces() == 1 ? namespace : namespace + "-" + index;
  }

  /** Name of a pod, from 0; pods are numbered over all phases. */
  String pod(int number) {
    return prefix + "-pod-" + number;
  }

  /** The same of a Deployment. */
  String deployment(int number) {
    return prefix + "-deployment-" + number;
  }

  String nodeOf(int pod) {
    return node(pod % nodes());
  }

  /** Namespace of a pod or Deployment. */
  String namespaceOf(int number) {
    return namespace(number % scenario.namespaces());
  }

  boolean owns(String node) {
    return node.startsWith(prefix + "-node-");
  }
}
