package dev.vertlet.harness.it;

import dev.vertlet.harness.loopback.Kubeconfig;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the shipped overlay grants the server of sandboxes, in the namespace of a test instead of
 * its own.
 */
final class SandboxAccess {
  private static final String NAME = "vertlet-sandbox";
  private static final String USER = "vertlet-sandbox-user";

  private SandboxAccess() {}

  /** Applies it; the kubeconfig of the server. */
  static Path grant(TestCluster cluster, Path folder) throws IOException {
    List<HasMetadata> shipped =
        Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.SANDBOX);
    String namespace = cluster.namespace();
    for (ServiceAccount account : Manifests.of(ServiceAccount.class, shipped)) {
      create(cluster, account);
    }
    for (Role role : Manifests.of(Role.class, shipped)) {
      create(cluster, role);
    }
    for (RoleBinding binding : Manifests.of(RoleBinding.class, shipped)) {
      binding.getSubjects().forEach(subject -> subject.setNamespace(namespace));
      create(cluster, binding);
    }
    for (ClusterRoleBinding binding : Manifests.of(ClusterRoleBinding.class, shipped)) {
      binding.getMetadata().setName(binding.getMetadata().getName() + "-" + namespace);
      binding.getSubjects().forEach(subject -> subject.setNamespace(namespace));
      cluster.client().resource(binding).create();
      cluster.closeAfterTest(() -> cluster.client().resource(binding).delete());
    }
    Path token = folder.resolve("server-token");
    Kubeconfig.writeSecret(token, token(cluster, NAME));
    return cluster.agentAccess().writeKubeconfig(folder.resolve("server-kubeconfig"), token);
  }

  private static void create(TestCluster cluster, HasMetadata object) {
    object.getMetadata().setNamespace(cluster.namespace());
    cluster.client().resource(object).create();
  }

  /**
   * Another service account of the namespace.
   *
   * @param mayClaim whether it gets the shipped role of those who may
   * @return its token
   */
  static String caller(TestCluster cluster, String name, boolean mayClaim) {
    cluster.kubectl("create", "serviceaccount", name);
    if (mayClaim) {
      bind(cluster, name, USER);
    }
    return token(cluster, name);
  }

  /**
   * A service account that has this one right to claims, and none else.
   *
   * @return its token
   */
  static String callerWith(TestCluster cluster, String verb) {
    String name = "only-" + verb;
    create(
        cluster,
        new RoleBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .addNewRule()
            .withApiGroups("vertlet.dev")
            .withResources("sandboxclaims")
            .withVerbs(verb)
            .endRule()
            .build());
    cluster.kubectl("create", "serviceaccount", name);
    bind(cluster, name, name);
    return token(cluster, name);
  }

  /** All that the server itself has been granted in the namespace of the test. */
  static Set<Permission> ofServer(TestCluster cluster) {
    return Permission.granted(
        List.of(
            role(cluster, NAME),
            cluster
                .client()
                .rbac()
                .clusterRoleBindings()
                .withName(NAME + "-reviews-" + cluster.namespace())
                .get()));
  }

  /** All that the shipped role of those who may claim grants. */
  static Set<Permission> ofCallers(TestCluster cluster) {
    return Permission.granted(List.of(role(cluster, USER)));
  }

  private static Role role(TestCluster cluster, String name) {
    return cluster.client().rbac().roles().inNamespace(cluster.namespace()).withName(name).get();
  }

  private static void bind(TestCluster cluster, String account, String role) {
    cluster.kubectl(
        "create",
        "rolebinding",
        account,
        "--role=" + role,
        "--serviceaccount=" + cluster.namespace() + ":" + account);
  }

  private static String token(TestCluster cluster, String account) {
    return cluster.kubectl("create", "token", account, "--duration=1h").strip();
  }
}
