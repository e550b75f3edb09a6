package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Services. */
public final class ServiceRules {
  private static final int DAY_SECONDS = 86_400;
  private static final String LOAD_BALANCERS_ONLY =
      "may only be used when `type` is 'LoadBalancer'";
  private static final String KEPT = "may not change once set";

  private ServiceRules() {}

  /** Checks a new Service. */
  public static void created(FieldValue service) {
    spec(service, FieldValue.of(Json.object(), service.causes()));
  }

  /** Checks an update of a Service. */
  public static void updated(FieldValue next, FieldValue current) {
    FieldValue spec = next.at("spec");
    FieldValue old = current.at("spec");
    kept(spec, old, "clusterIPs");
    kept(spec, old, "ipFamilies");
    if (isLoadBalancer(spec)
        && isLoadBalancer(old)
        && !spec.at("loadBalancerClass").json().equals(old.at("loadBalancerClass").json())) {
      spec.at("loadBalancerClass").invalid(KEPT);
    }
    FieldValue check = spec.at("healthCheckNodePort");
    boolean checked = needsHealthCheck(spec) && needsHealthCheck(old);
    if (checked && check.number() != old.at("healthCheckNodePort").number()) {
      check.forbidden("field is immutable");
    }
    spec(next, current);
  }

  /** Checks an update of a status. */
  public static void statusUpdated(FieldValue service) {
    FieldValue ingress = service.at("status", "loadBalancer", "ingress");
    if (!isLoadBalancer(service.at("spec")) && !ingress.isEmpty()) {
      ingress.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    for (FieldValue entry : ingress.items()) {
      FieldValue mode = entry.at("ipMode");
      entry.at("ip").checkAny(Format.ADDRESS);
      if (entry.at("ip").isEmpty()) {
        mode.forbidAny("may not be specified when `ip` is not set");
      } else {
        mode.anyOneOf("Proxy", "VIP");
      }
      FieldValue host = entry.at("hostname");
      if (!host.isEmpty()) {
        host.check(Format.DNS_SUBDOMAIN);
        if (Format.ADDRESS.fits(host.text())) {
          host.invalid("must be a DNS name, not an IP address");
        }
      }
    }
  }

  private static boolean isLoadBalancer(FieldValue spec) {
    return spec.at("type").is("LoadBalancer");
  }

  private static boolean needsHealthCheck(FieldValue spec) {
    return isLoadBalancer(spec) && spec.at("externalTrafficPolicy").is("Local");
  }

  private static boolean isExternalName(FieldValue spec) {
    return spec.at("type").is("ExternalName");
  }

  private static boolean isHeadless(FieldValue spec) {
    return spec.at("clusterIPs").items().size() == 1 && spec.at("clusterIPs").item(0).is("None");
  }

  /** The first address and its family stay, unless the Service had or has none. */
  private static void kept(FieldValue spec, FieldValue old, String list) {
    boolean headless =
        list.equals("clusterIPs")
            ? isHeadless(spec) && isHeadless(old)
            : isHeadless(spec) || isHeadless(old);
    if (isExternalName(spec) || isExternalName(old) || headless) {
      return;
    }
    JsonNode before = old.at(list).json();
    JsonNode now = spec.at(list).json();
    if (!before.isEmpty() && now.isEmpty()) {
      spec.at(list)
          .item(0)
          .invalid(
              "null",
              list.equals("clusterIPs")
                  ? "primary clusterIP can not be unset"
                  : "primary ipFamily can not be unset");
      return;
    }
    for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
      if (!before.path(i).equals(now.path(i))) {
        spec.at(list).item(i).invalid(now.toString(), KEPT);
      }
    }
  }

  private static void spec(FieldValue service, FieldValue current) {
    FieldValue spec = service.at("spec");
    boolean headless = isHeadless(spec);
    FieldValue ports = spec.at("ports");
    if (ports.isEmpty() && !headless && !isExternalName(spec)) {
      ports.required();
    }
    String type = spec.at("type").text();
    if (headless && (type.equals("LoadBalancer") || type.equals("NodePort"))) {
      spec.at("clusterIPs")
          .item(0)
          .invalid("may not be set to 'None' for %s services".formatted(type));
    } else if (isExternalName(spec)) {
      externalName(spec);
    }
    ports(ports);
    MetadataRules.labels(spec.at("selector"));
    affinity(spec);
    ServiceAddressRules.related(service, current);
    for (FieldValue address : spec.at("externalIPs").items()) {
      address.check(Format.ADDRESS);
      address.check(IpText::endpointProblems);
    }
    spec.at("type").oneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    if (type.equals("ClusterIP")) {
      for (FieldValue port : ports.items()) {
        if (port.at("nodePort").number() != 0) {
          port.at("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
        }
      }
    }
    repeated(ports);
    loadBalancer(spec);
    traffic(spec);
  }

  private static void externalName(FieldValue spec) {
    for (String field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
      if (!spec.at(field).isEmpty()) {
        spec.at(field).forbidden("may not be set for ExternalName services");
      }
    }
    String name = spec.at("externalName").text();
    String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    if (plain.isEmpty()) {
      spec.at("externalName").required();
    } else {
      Format.DNS_SUBDOMAIN
          .problems(plain)
          .forEach(problem -> spec.at("externalName").invalid(GoText.quoted(plain), problem));
    }
  }

  private static void ports(FieldValue ports) {
    Set<String> names = new HashSet<>();
    boolean several = ports.items().size() > 1;
    for (FieldValue port : ports.items()) {
      FieldValue name = port.at("name");
      if (name.isEmpty()) {
        if (several) {
          name.required();
        }
      } else {
        name.check(Format.DNS_LABEL);
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      port.at("port").portNumber();
      port.at("protocol").oneOf("SCTP", "TCP", "UDP");
      port.at("targetPort").port();
      if (port.at("appProtocol").isPresent()) {
        port.at("appProtocol").check(Format.QUALIFIED_NAME);
      }
    }
  }

  private static void repeated(FieldValue ports) {
    Set<String> onNodes = new HashSet<>();
    Set<String> own = new HashSet<>();
    for (FieldValue port : ports.items()) {
      String protocol = port.at("protocol").text();
      FieldValue nodePort = port.at("nodePort");
      if (nodePort.number() != 0 && !onNodes.add(protocol + nodePort.number())) {
        nodePort.duplicate();
      }
      if (!own.add(protocol + port.at("port").number())) {
        ObjectNode key =
            GoText.struct(
                Json.object().put("protocol", protocol).put("port", port.at("port").number()),
                "Name",
                "Protocol",
                "AppProtocol?",
                "Port#",
                "TargetPort#",
                "NodePort#");
        port.causes().duplicate(port.path(), key.toString(), "");
      }
    }
  }

  private static void affinity(FieldValue spec) {
    FieldValue affinity = spec.at("sessionAffinity");
    affinity.oneOf("ClientIP", "None");
    FieldValue timeout = spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds");
    boolean outside = timeout.number() <= 0 || timeout.number() > DAY_SECONDS;
    if (affinity.is("ClientIP") && timeout.isPresent() && outside) {
      timeout.invalid("must be greater than 0 and less than " + DAY_SECONDS);
    }
  }

  private static void loadBalancer(FieldValue spec) {
    FieldValue ranges =
        spec.at("LoadBalancerSourceRanges").reporting(spec.at("loadBalancerSourceRanges"));
    if (!ranges.isEmpty()) {
      if (!isLoadBalancer(spec)) {
        ranges.forbidden(LOAD_BALANCERS_ONLY);
      }
      for (FieldValue range : ranges.items()) {
        Format.RANGE
            .problems(range.text().strip())
            .forEach(problem -> range.invalid(GoText.quoted(range.text().strip()), problem));
      }
    }
    FieldValue kind = spec.at("loadBalancerClass");
    if (isLoadBalancer(spec)) {
      if (kind.isPresent()) {
        kind.check(Format.QUALIFIED_NAME);
      }
    } else {
      spec.at("allocateLoadBalancerNodePorts").forbidAny(LOAD_BALANCERS_ONLY);
      kind.forbidAny(LOAD_BALANCERS_ONLY);
    }
  }

  private static void traffic(FieldValue spec) {
    boolean external =
        isLoadBalancer(spec)
            || spec.at("type").is("NodePort")
            || (spec.at("type").is("ClusterIP") && !spec.at("externalIPs").isEmpty());
    FieldValue outer = spec.at("externalTrafficPolicy");
    if (external) {
      outer.anyOneOf("Cluster", "Local");
    } else if (!outer.isEmpty()) {
      outer.invalid("may only be set for externally-accessible services");
    }
    FieldValue check = spec.at("healthCheckNodePort");
    if (check.number() != 0) {
      if (needsHealthCheck(spec)) {
        check.portNumber();
      } else {
        check.invalid(
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
      }
    }
    spec.at("internalTrafficPolicy").anyOneOf("Cluster", "Local");
    spec.at("trafficDistribution").anyOneOf("PreferClose", "PreferSameZone", "PreferSameNode");
  }
}
