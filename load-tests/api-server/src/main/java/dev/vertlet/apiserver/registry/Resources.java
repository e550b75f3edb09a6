package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.api.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resources a server serves. Immutable. */
public final class Resources {
  private final Map<String, Resource> byPath = new LinkedHashMap<>();

  /**
   * @param resources in the order discovery shows them
   */
  public Resources(Collection<Resource> resources) {
    resources.forEach(resource -> byPath.put(path(resource.type()), resource));
  }

  private static String path(ResourceType type) {
    return type.apiVersion() + "/" + type.plural();
  }

  /** What a node agent and its users meet. */
  public static Resources standard() {
    return standard(false, false);
  }

  /**
   * @param nodeConfigs whether any Node may have a config source
   * @param trustBundles whether ClusterTrustBundles are served
   */
  public static Resources standard(boolean nodeConfigs, boolean trustBundles) {
    List<Resource> all = new ArrayList<>(usual(nodeConfigs));
    if (trustBundles) {
      all.add(
          Resource.of(
              ResourceType.cluster(
                  "certificates.k8s.io/v1beta1", "clustertrustbundles", "ClusterTrustBundle"),
              Strategy.PLAIN));
    }
    return new Resources(all);
  }

  private static List<Resource> usual(boolean nodeConfigs) {
    return List.of(
        Resource.of(
            ResourceType.namespaced("v1", "configmaps", "ConfigMap").withShortNames("cm"),
            new ConfigMapStrategy()),
        Resource.of(
            ResourceType.namespaced("v1", "events", "Event").withShortNames("ev"),
            new EventStrategy(false)),
        Resource.of(
            ResourceType.cluster("v1", "namespaces", "Namespace")
                .withShortNames("ns")
                .withSubresources("status", "finalize"),
            new NamespaceStrategy()),
        Resource.of(
            ResourceType.cluster("v1", "nodes", "Node")
                .withShortNames("no")
                .withSubresources("status", "proxy"),
            new NodeStrategy(nodeConfigs)),
        Resource.of(
            ResourceType.namespaced("v1", "pods", "Pod")
                .withShortNames("po")
                .withCategories("all")
                .withSubresources(
                    "status",
                    "binding",
                    "eviction",
                    "ephemeralcontainers",
                    "resize",
                    "log",
                    "exec",
                    "attach",
                    "portforward",
                    "proxy"),
            new PodStrategy()),
        Resource.of(ResourceType.namespaced("v1", "secrets", "Secret"), new SecretStrategy()),
        Resource.of(
            ResourceType.namespaced("v1", "serviceaccounts", "ServiceAccount")
                .withShortNames("sa")
                .withSubresources("token"),
            Strategy.PLAIN),
        Resource.of(
            ResourceType.namespaced("v1", "services", "Service")
                .withShortNames("svc")
                .withCategories("all")
                .withSubresources("status"),
            new ServiceStrategy()),
        Resource.of(
            ResourceType.cluster(
                    "certificates.k8s.io/v1",
                    "certificatesigningrequests",
                    "CertificateSigningRequest")
                .withShortNames("csr")
                .withSubresources("status", "approval"),
            new SigningRequestStrategy()),
        Resource.of(
            ResourceType.namespaced("coordination.k8s.io/v1", "leases", "Lease"),
            new LeaseStrategy()),
        Resource.of(
            ResourceType.namespaced("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget")
                .withShortNames("pdb")
                .withSubresources("status"),
            new PodDisruptionBudgetStrategy()),
        new Resource(
            ResourceType.namespaced("events.k8s.io/v1", "events", "Event").withShortNames("ev"),
            "events",
            new EventStrategy(true),
            Conversion.EVENTS));
  }

  /** The resource at {@code apiVersion/plural}, such as {@code v1/pods}. */
  public Optional<Resource> find(String apiVersion, String plural) {
    return Optional.ofNullable(byPath.get(apiVersion + "/" + plural));
  }

  /** The first resource with this plural name: what a test means by {@code "pods"}. */
  public Optional<Resource> find(String plural) {
    return all().stream().filter(resource -> resource.type().plural().equals(plural)).findFirst();
  }

  /** Whether there is any resource of this API version. */
  public boolean serves(String apiVersion) {
    return byPath.keySet().stream().anyMatch(path -> path.startsWith(apiVersion + "/"));
  }

  public Collection<Resource> all() {
    return List.copyOf(byPath.values());
  }
}
