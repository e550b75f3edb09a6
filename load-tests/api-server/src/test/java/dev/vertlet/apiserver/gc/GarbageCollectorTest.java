package dev.vertlet.apiserver.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.TestCluster;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.DeleteOptions.Propagation;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GarbageCollectorTest {
  private final TestCluster cluster = new TestCluster();

  @BeforeEach
  void start() {
    new GarbageCollector(cluster.cluster()).start();
  }

  private StoredObject owner(String name) {
    return cluster.create("configmaps", "{'metadata':{'name':'%s'}}".formatted(name));
  }

  private static String reference(StoredObject owner, boolean blocks) {
    return "{'apiVersion':'v1','kind':'ConfigMap','name':'%s','uid':'%s','blockOwnerDeletion':%s}"
        .formatted(owner.name(), owner.uid(), blocks);
  }

  private StoredObject dependent(String name, String... references) {
    return cluster.create(
        "configmaps",
        "{'metadata':{'name':'%s','ownerReferences':[%s]}}"
            .formatted(name, String.join(",", references)));
  }

  private boolean exists(String name) {
    return cluster.find("configmaps", name).isPresent();
  }

  private void delete(String name, Propagation propagation) {
    cluster.delete("configmaps", name, DeleteOptions.DEFAULT.withPropagation(propagation));
    cluster.advance(Duration.ofSeconds(1));
  }

  @Test
  void dependentsFollowTheirOwnerInBackground() {
    StoredObject a = owner("a");
    StoredObject b = dependent("b", reference(a, true));
    dependent("c", reference(b, false));
    cluster.settle();
    assertThat(exists("c")).isTrue();

    delete("a", Propagation.BACKGROUND);

    assertThat(exists("a")).isFalse();
    assertThat(exists("b")).isFalse();
    assertThat(exists("c")).isFalse();
  }

  @Test
  void aDependentWithAnotherOwnerStaysAndForgetsTheLostOne() {
    StoredObject a = owner("a");
    StoredObject b = owner("b");
    dependent("c", reference(a, false), reference(b, false));

    delete("a", Propagation.DEFAULT);

    var references = Json.at(cluster.get("configmaps", "c"), "metadata", "ownerReferences");
    assertThat(references).hasSize(1);
    assertThat(references.at("/0/uid").asText()).isEqualTo(b.uid());
  }

  @Test
  void foregroundWaitsForDependentsThatBlock() {
    StoredObject a = owner("a");
    dependent("free", reference(a, false));
    dependent("held", reference(a, true));
    cluster.edit(
        "configmaps",
        "held",
        held -> held.withObject("/metadata").putArray("finalizers").add("x/y"));

    delete("a", Propagation.FOREGROUND);

    assertThat(cluster.get("configmaps", "a").at("/metadata/finalizers/0").asText())
        .isEqualTo("foregroundDeletion");
    assertThat(exists("free")).isFalse();
    assertThat(cluster.get("configmaps", "held").at("/metadata").has("deletionTimestamp")).isTrue();
    cluster.edit("configmaps", "held", held -> held.withObject("/metadata").putArray("finalizers"));
    cluster.advance(Duration.ofSeconds(1));
    assertThat(exists("held")).isFalse();
    assertThat(exists("a")).isFalse();
  }

  @Test
  void foregroundReachesTheLastGeneration() {
    StoredObject a = owner("a");
    StoredObject b = dependent("b", reference(a, true));
    dependent("c", reference(b, true));
    cluster.settle();

    delete("a", Propagation.FOREGROUND);

    assertThat(exists("c")).isFalse();
    assertThat(exists("b")).isFalse();
    assertThat(exists("a")).isFalse();
  }

  @Test
  void orphansStayWithoutTheirOwner() {
    StoredObject a = owner("a");
    dependent("b", reference(a, true));

    delete("a", Propagation.ORPHAN);

    assertThat(exists("a")).isFalse();
    assertThat(cluster.get("configmaps", "b").at("/metadata").has("ownerReferences")).isFalse();
  }

  @Test
  void aLeaseGoesWithItsNode() {
    StoredObject node = cluster.node("n", 1);
    String lease =
        "{'metadata':{'name':'n','namespace':'kube-node-lease','ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n','uid':'%s'}]}}";
    cluster.create("leases", lease.formatted(node.uid()));
    cluster.settle();
    var leases = cluster.cluster().resource("leases");
    assertThat(cluster.cluster().find(leases, "kube-node-lease", "n")).isPresent();

    cluster.delete("nodes", "n", DeleteOptions.DEFAULT);
    cluster.settle();

    assertThat(cluster.cluster().find(leases, "kube-node-lease", "n")).isEmpty();
  }

  @Test
  void anOwnerOfTheSameNameIsAnotherOwner() {
    StoredObject old = owner("a");
    delete("a", Propagation.DEFAULT);
    owner("a");

    dependent("late", reference(old, false));
    cluster.settle();

    assertThat(exists("late")).isFalse();
    assertThat(exists("a")).isTrue();
  }

  @Test
  void ownersOfUnknownKindsAreTakenToExist() {
    dependent("b", "{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r','uid':'u'}");

    cluster.settle();

    assertThat(exists("b")).isTrue();
  }

  @Test
  void aChangeWithoutOwnersCostsNoTurn() {
    owner("a");
    cluster.settle();
    long turns = cluster.time().turns();

    cluster.edit("configmaps", "a", map -> map.putObject("data").put("k", "v"));
    cluster.settle();

    assertThat(cluster.time().turns()).isEqualTo(turns);
  }
}
