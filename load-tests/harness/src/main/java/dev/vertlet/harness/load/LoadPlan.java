package dev.vertlet.harness.load;

import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A scenario on a cluster, with the names of its objects.
 *
 * @param kubeconfig kubeconfig of the cluster
 * @param prefix prefix of the names of nodes, pods and Deployments; no other object of the cluster
 *     may have it
 * @param namespace namespace of the pods, or prefix of several; the namespaces have to exist
 * @param serviceAccount service account of the pods; has to exist if the cluster requires one
 * @param containers containers of the pods
 */
public record LoadPlan(
    Path kubeconfig,
    String prefix,
    String namespace,
    String serviceAccount,
    Scenario scenario,
    PodContainers containers) {
  /** Key of the label that all objects of a load carry; its value is the prefix. */
  public static final String LABEL = "vertlet.dev/load";

  /** A plan whose containers only pause. */
  public LoadPlan(
      Path kubeconfig, String prefix, String namespace, String serviceAccount, Scenario scenario) {
    this(
        kubeconfig,
        prefix,
        namespace,
        serviceAccount,
        scenario,
        PodContainers.pausing(scenario.containers(), List.of()));
  }

  /** Returns the plan with other containers. */
  public LoadPlan withContainers(PodContainers other) {
    return new LoadPlan(kubeconfig, prefix, namespace, serviceAccount, scenario, other);
  }

  /** Label selector of this plan's objects. */
  public String label() {
    return LABEL + "=" + prefix;
  }

  /** Number of nodes, which {@link #node} names. */
  public int nodes() {
    return scenario.nodes();
  }

  public Placement placement() {
    return scenario.placement();
  }

  /** Name template for an agent's configuration; it results in the names of {@link #node}. */
  public String nodeTemplate() {
    return prefix + "-node-{i}";
  }

  /** Name of a node, from 0. */
  public String node(int index) {
    return nodeTemplate().replace("{i}", Integer.toString(index));
  }

  /** Names of all nodes, in order. */
  public List<String> nodeNames() {
    return IntStream.range(0, nodes()).mapToObj(this::node).toList();
  }

  /** Number of pods on the fullest node when pods are spread evenly. */
  public int podsPerNode() {
    return (scenario.mostPods() + nodes() - 1) / nodes();
  }

  /** Names of all namespaces. */
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

  /** Name of a Deployment, from 0; Deployments are numbered over all phases. */
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
