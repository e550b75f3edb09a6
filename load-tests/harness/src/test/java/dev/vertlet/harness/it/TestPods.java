package dev.vertlet.harness.it;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Creates, reads and deletes pods of one namespace. */
public final class TestPods {
  /** As many as keep an API server on two cores busy. */
  private static final int AT_ONCE = 16;

  private final KubernetesClient client;
  private final String namespace;

  TestPods(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** A pod of one container, bound to that node, that no taint drives away. */
  public static PodBuilder template(String name, String node) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .addNewContainer()
        .withName("main")
        .withImage("registry.k8s.io/pause:3.10")
        .endContainer()
        .addNewToleration()
        .withOperator("Exists")
        .endToleration()
        .endSpec();
  }

  /** Creates a pod bound to that node. */
  public Pod create(String name, String node) {
    return create(name, node, pod -> pod);
  }

  /** Creates a pod bound to that node, changed first. */
  public Pod create(String name, String node, UnaryOperator<PodBuilder> change) {
    Pod pod = change.apply(template(name, node)).build();
    return client.pods().inNamespace(namespace).resource(pod).create();
  }

  /** Creates that many pods at once, named {@code prefix-0} and so on, bound to that node. */
  public List<Pod> createMany(String prefix, String node, int count) {
    return createMany(prefix, count, i -> node, pod -> pod);
  }

  /**
   * Creates that many pods at once.
   *
   * @param prefix of their names, {@code prefix-0} and so on
   * @param node of the pod of that number
   * @param change made to each of them first
   */
  public List<Pod> createMany(
      String prefix, int count, IntFunction<String> node, UnaryOperator<PodBuilder> change) {
    return atOnce(
        IntStream.range(0, count).boxed().toList(),
        i -> create(prefix + "-" + i, node.apply(i), change));
  }

  private static <T, R> List<R> atOnce(List<T> all, Function<T, R> request) {
    ExecutorService senders = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<CompletableFuture<R>> sent =
          all.stream().map(one -> supplyAsync(() -> request.apply(one), senders)).toList();
      return sent.stream().map(CompletableFuture::join).toList();
    } finally {
      senders.shutdownNow();
    }
  }

  /** All pods of the namespace. */
  public List<Pod> list() {
    return client.pods().inNamespace(namespace).list().getItems();
  }

  /** A pod as the API server has it now. */
  public Pod get(String name) {
    return client.pods().inNamespace(namespace).withName(name).get();
  }

  /** Resource versions of all pods, by name. */
  public Map<String, String> versions() {
    return list().stream()
        .map(Pod::getMetadata)
        .collect(Collectors.toMap(ObjectMeta::getName, ObjectMeta::getResourceVersion));
  }

  /** Asks for the deletion of a pod, with the grace it has. */
  public void delete(String name) {
    client.pods().inNamespace(namespace).withName(name).delete();
  }

  /** Asks for the deletion of all pods at once, with the grace each of them has. */
  public void deleteAll() {
    atOnce(list(), pod -> named(pod).delete());
  }

  /** Removes all pods, whether or not anybody ends their containers. */
  void removeAll() {
    atOnce(list(), pod -> named(pod).withGracePeriod(0).delete());
  }

  private PodResource named(Pod pod) {
    return client.pods().inNamespace(namespace).withName(pod.getMetadata().getName());
  }
}
