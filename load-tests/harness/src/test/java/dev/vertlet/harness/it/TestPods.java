package dev.vertlet.harness.it;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /** A change of a pod: an annotation of the simulated runtime, without its prefix. */
  static UnaryOperator<PodBuilder> annotated(String setting, String value) {
    return pod ->
        pod.editMetadata()
            .addToAnnotations("simulated.vertlet.dev/" + setting, value)
            .endMetadata();
  }

  /** A change of a pod's container: fields in YAML, of which lists replace the ones there. */
  static UnaryOperator<PodBuilder> container(String fields) {
    return pod -> {
      Container main = updated(pod.buildSpec().getContainers().get(0), fields);
      return pod.editSpec().setToContainers(0, main).endSpec();
    };
  }

  /** A change of a pod's spec: fields in YAML, of which lists replace the ones there. */
  static UnaryOperator<PodBuilder> spec(String fields) {
    return pod -> pod.withSpec(updated(pod.buildSpec(), fields));
  }

  private static <T> T updated(T object, String yaml) {
    try {
      return Serialization.yamlMapper().readerForUpdating(object).readValue(yaml);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
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

  /** Creates a pod bound to that node, changed first. */
  @SafeVarargs
  public final Pod create(String name, String node, UnaryOperator<PodBuilder>... changes) {
    PodBuilder builder = template(name, node);
    for (UnaryOperator<PodBuilder> change : changes) {
      builder = change.apply(builder);
    }
    Pod pod = builder.build();
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

  /**
   * Asks for the deletion of a pod of one container and waits until that has ended.
   *
   * @return how long it went on, by what the API server and the agent wrote, in whole seconds
   */
  Duration deleteAndAwaitEnd(String name) {
    Promise<Instant> asked = Promise.promise();
    Promise<Instant> ended = Promise.promise();
    Watcher<Pod> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, Pod pod) {
            String deletion = pod.getMetadata().getDeletionTimestamp();
            if (deletion != null) {
              long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
              asked.tryComplete(Instant.parse(deletion).minusSeconds(grace));
            }
            pod.getStatus().getContainerStatuses().stream()
                .map(status -> status.getState().getTerminated())
                .filter(Objects::nonNull)
                .forEach(end -> ended.tryComplete(Instant.parse(end.getFinishedAt())));
          }

          @Override
          public void onClose(WatcherException cause) {}
        };
    try (Watch watch = client.pods().inNamespace(namespace).withName(name).watch(watcher)) {
      delete(name);
      return Duration.between(Waits.get(asked.future()), Waits.get(ended.future()));
    }
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

  /** Status of a pod's first container; an assertion fails as long as the pod has none. */
  static ContainerStatus firstContainer(Pod pod) {
    List<ContainerStatus> all = pod.getStatus().getContainerStatuses();
    assertThat(all).as("container statuses of " + pod.getMetadata().getName()).isNotEmpty();
    return all.get(0);
  }
}
