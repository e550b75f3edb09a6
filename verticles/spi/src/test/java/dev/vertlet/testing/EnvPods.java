package dev.vertlet.testing;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ServiceView;
import java.util.List;
import java.util.Map;

/** Pods, containers and objects for the tables of this package. */
public final class EnvPods {
  public static final String NAMESPACE = "ns";

  private EnvPods() {}

  public static ContainerView container(List<Source> envFrom, Variable... env) {
    return container("c", new EnvironmentView(List.of(env), envFrom), ResourcesView.NONE);
  }

  /** One of this name. */
  public static ContainerView container(String name, List<Source> envFrom, Variable... env) {
    return container(name, new EnvironmentView(List.of(env), envFrom), ResourcesView.NONE);
  }

  /** A container with one mount. */
  public static ContainerView mounting(String subPathExpr, Variable... env) {
    EnvironmentView view = new EnvironmentView(List.of(env), List.of(), List.of(subPathExpr));
    return container("c", view, ResourcesView.NONE);
  }

  public static ContainerView container(
      String name, EnvironmentView view, ResourcesView resources) {
    return new ContainerView(name, "img", "IfNotPresent", null, view, resources, null);
  }

  public static Source allOf(ReferredKind kind, String name) {
    return new Source("", kind, name, false);
  }

  public static Source optional(ReferredKind kind, String name) {
    return new Source("", kind, name, true);
  }

  public static Variable literal(String name, String value) {
    return new Variable(name, value, EnvironmentView.LITERAL);
  }

  public static Variable field(String name, String path) {
    return new Variable(name, "", new ValueFrom.Field("v1", path));
  }

  public static Variable entry(String name, ReferredKind kind, String object, String key) {
    return new Variable(name, "", new ValueFrom.Key(kind, object, key, false));
  }

  public static Variable optional(String name, ReferredKind kind, String object, String key) {
    return new Variable(name, "", new ValueFrom.Key(kind, object, key, true));
  }

  public static DataView data(String name, Map<String, String> data) {
    return new DataView(NAMESPACE, name, "uid-" + name, 1, false, data);
  }

  public static ServiceView service(String namespace, String name, String address, int port) {
    return new ServiceView(
        namespace, name, "uid-" + name, 1, address, List.of(new ServiceView.Port("", port, "TCP")));
  }

  /** A pod of this name that says this of its network. */
  public static PodView named(String name, boolean hostNetwork, NetworkView network) {
    Pods pod = Pods.of(pod()).ref(new PodRef(NAMESPACE, name, "uid-p")).network(network);
    return hostNetwork ? pod.hostNetwork().build() : pod.build();
  }

  public static PodView pod(ContainerView... containers) {
    return pod(true, List.of(), List.of(containers));
  }

  public static PodView pod(
      boolean serviceLinks, List<ContainerView> init, List<ContainerView> containers) {
    Pods pod = Pods.pod().node("node-1").account("robot").serviceLinks(serviceLinks);
    init.forEach(pod::init);
    containers.forEach(pod::container);
    return pod.labels(Map.of("b", "2", "a", "1"))
        .annotations(Map.of("note", "x\ny", "vertlet.dev/q", "\"\u00e9\u0001\""))
        .build();
  }
}
