package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ServiceView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Environment variables with the addresses of the services of a namespace and of the API server.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/envvars/envvars.go">
 *     envvars.FromServices</a>
 */
final class ServiceVariables {
  private static final String DEFAULT_NAMESPACE = "default";

  /** The service that every container gets variables for, with or without service links. */
  private static final ReferredKey API_SERVER =
      new ReferredKey(ReferredKind.SERVICE, DEFAULT_NAMESPACE, "kubernetes");

  private ServiceVariables() {}

  /**
   * Returns the objects to read for the pods of a namespace: the API server's service first.
   *
   * @param links whether the pod enables service links
   */
  static List<ReferredKey> keys(String namespace, boolean links) {
    ReferredKey all = new ReferredKey(ReferredKind.SERVICE, namespace, "");
    if (!links) {
      return List.of(API_SERVER);
    }
    return namespace.equals(DEFAULT_NAMESPACE) ? List.of(all) : List.of(API_SERVER, all);
  }

  /**
   * Returns the variables, ordered by service name.
   *
   * @param services of two with the same name, the later one wins
   */
  static Map<String, String> of(Collection<ServiceView> services) {
    Map<String, ServiceView> byName = new TreeMap<>();
    for (ServiceView service : services) {
      if (hasAddress(service)) {
        byName.put(service.name(), service);
      }
    }
    Map<String, String> variables = new LinkedHashMap<>();
    byName.values().forEach(service -> add(service, variables));
    return variables;
  }

  private static boolean hasAddress(ServiceView service) {
    return !service.clusterIP().isEmpty()
        && !service.clusterIP().equals("None")
        && !service.ports().isEmpty();
  }

  private static void add(ServiceView service, Map<String, String> variables) {
    String prefix = name(service.name());
    String address = service.clusterIP();
    String port = prefix + "_SERVICE_PORT";
    variables.put(prefix + "_SERVICE_HOST", address);
    variables.put(port, number(service.ports().get(0)));
    for (ServiceView.Port each : service.ports()) {
      if (!each.name().isEmpty()) {
        variables.put(port + "_" + name(each.name()), number(each));
      }
    }
    variables.put(prefix + "_PORT", url(service.ports().get(0), address));
    for (ServiceView.Port each : service.ports()) {
      addLinks(prefix, each, address, variables);
    }
  }

  /** Adds the variables of Docker's container links. */
  private static void addLinks(
      String prefix, ServiceView.Port port, String address, Map<String, String> variables) {
    String name = prefix + "_PORT_" + port.port() + "_" + port.protocol().toUpperCase(Locale.ROOT);
    variables.put(name, url(port, address));
    variables.put(name + "_PROTO", port.protocol().toLowerCase(Locale.ROOT));
    variables.put(name + "_PORT", number(port));
    variables.put(name + "_ADDR", address);
  }

  private static String url(ServiceView.Port port, String address) {
    String host = address.indexOf(':') < 0 ? address : "[" + address + "]";
    return port.protocol().toLowerCase(Locale.ROOT) + "://" + host + ":" + port.port();
  }

  private static String number(ServiceView.Port port) {
    return Integer.toString(port.port());
  }

  private static String name(String text) {
    return text.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
