package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.run.CloseStack;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A control plane as one test sees it: with a namespace of its own, which is cleared after the
 * test. Not thread-safe, except for the client.
 */
public final class TestCluster implements AutoCloseable {
  /**
   * A patch of objects that controllers write too. fabric8's {@code edit} sends the resourceVersion
   * that it has read, and so fails where a controller writes in between.
   */
  static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private static final AtomicInteger TESTS = new AtomicInteger();

  private final ControlPlane controlPlane;
  private final AgentAccess access;
  private final KubernetesClient client;
  private final String namespace;
  private final CloseStack closing = new CloseStack();

  private TestCluster(
      ControlPlane controlPlane, AgentAccess access, KubernetesClient client, String namespace) {
    this.controlPlane = controlPlane;
    this.access = access;
    this.client = client;
    this.namespace = namespace;
    closing.add(client);
    closing.<AutoCloseable>add(this::removeObjects);
  }

  static TestCluster in(ControlPlane controlPlane, AgentAccess access) {
    KubernetesClient client = connect(controlPlane.kubeconfig());
    // the process id tells apart the runs that share an external cluster
    String name = "it-%d-%d".formatted(ProcessHandle.current().pid(), TESTS.incrementAndGet());
    client
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return new TestCluster(controlPlane, access, client, name);
  }

  /** A client of the JDK's kind, which shares no code with what is tested. */
  public static KubernetesClient connect(Path kubeconfig) {
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }

  public ControlPlane controlPlane() {
    return controlPlane;
  }

  /** An administrator's client, straight to the API server. */
  public KubernetesClient client() {
    return client;
  }

  /** An administrator's kubeconfig, straight to the API server. */
  public Path kubeconfig() {
    return controlPlane.kubeconfig();
  }

  /** What agents get: the rights of the shipped manifests, straight to the API server. */
  public Path agentKubeconfig() {
    return access.kubeconfig();
  }

  AgentAccess agentAccess() {
    return access;
  }

  /** The test's own namespace. */
  public String namespace() {
    return namespace;
  }

  /** Runs kubectl in the test's namespace and returns its output. */
  public String kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--namespace", namespace));
    all.addAll(Arrays.asList(arguments));
    return controlPlane.kubectl(all.toArray(String[]::new));
  }

  /** A field of an object as kubectl prints it; a path is such as {@code {.status.phase}}. */
  public String field(String kind, String name, String path) {
    return kubectl("get", kind, name, "-o", "jsonpath=" + path);
  }

  /** Waits until the output of kubectl has this pattern. */
  void shows(String pattern, String... arguments) {
    eventually(() -> assertThat(kubectl(arguments)).containsPattern(pattern));
  }

  /** Waits until the output of kubectl is this. */
  void tells(String output, String... arguments) {
    eventually(() -> assertThat(kubectl(arguments)).isEqualTo(output));
  }

  /** Creates a pod bound to a node, changed first. */
  @SafeVarargs
  final Pod create(String pod, String node, UnaryOperator<PodBuilder>... changes) {
    return pods().create(pod, node, changes);
  }

  /** Creates what the YAML says; in the test's namespace what needs one. */
  void createAll(String yaml) {
    client.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).inNamespace(namespace).create();
  }

  /** Pods of the test's namespace. */
  public TestPods pods() {
    return new TestPods(client, namespace);
  }

  /** Starts to record what happens to the pods of the test's namespace; ends with the test. */
  public PodRecorder recordPods() {
    return closeAfterTest(PodRecorder.start(client, namespace));
  }

  /** How to start an agent with the node {@code name0} and the rights of {@link #agentAccess}. */
  AgentProcess.Setup agentSetup(Path folder, String name) {
    return AgentProcess.Setup.ofNodes(folder, name, 1, agentKubeconfig());
  }

  /** Starts an agent that ends with the test, and waits until it serves its nodes. */
  AgentProcess agent(AgentProcess.Setup setup) {
    AgentProcess agent = closeAfterTest(setup.start());
    agent.awaitReady();
    return agent;
  }

  /** Grants agents what a folder of the manifests does, until the test's end. */
  void grant(Path kustomization) {
    controlPlane().kubectl("apply", "-k", kustomization.toString());
    closeAfterTest(() -> controlPlane().kubectl("delete", "-k", kustomization.toString()));
  }

  /** Starts an agent with the node {@code name0}, and waits until it serves the node. */
  AgentProcess agent(Path folder, String name) {
    return agent(agentSetup(folder, name));
  }

  /** A node as the API server has it now; null where it has none. */
  Node node(String name) {
    return client.nodes().withName(name).get();
  }

  /** Whether a node exists and is Ready. */
  boolean isReady(String node) {
    Node found = node(node);
    return found != null
        && found.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  /** The Lease of a node; null where it has none. */
  Lease lease(String node) {
    return client.leases().inNamespace("kube-node-lease").withName(node).get();
  }

  /** Closes something when the test is over, the last one given first. Returns it. */
  public <T extends AutoCloseable> T closeAfterTest(T resource) {
    return closing.add(resource);
  }

  /**
   * Removes the test's pods without waiting for agents, which are gone, and its namespace without
   * waiting for the controller that does it.
   */
  @Override
  public void close() throws Exception {
    try {
      // all of them even when one fails: an agent that went on would serve the next test's pods,
      // too
      closing.close();
    } catch (KubernetesClientException e) {
      // a test that left the API server down has no other way to be cleared than with its control
      // plane
      System.out.println("Namespace " + namespace + " not cleared: " + e.getMessage());
    }
  }

  private void removeObjects() {
    pods().removeAll();
    client.namespaces().withName(namespace).delete();
  }
}
