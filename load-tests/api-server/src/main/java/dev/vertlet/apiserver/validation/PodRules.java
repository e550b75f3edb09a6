package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.PodResources;
import dev.vertlet.apiserver.api.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pods as they are created, and the spec of any pod. */
public final class PodRules {
  private static final int NAME_SERVERS = 3;
  private static final int SEARCH_DOMAINS = 32;
  private static final int SEARCH_CHARACTERS = 2048;
  private static final int HOST_NAME = 64;

  private PodRules() {}

  /** Checks a new pod. */
  public static void created(FieldValue pod) {
    FieldValue spec = pod.at("spec");
    spec(pod);
    if (!spec.at("ephemeralContainers").isEmpty()) {
      spec.at("ephemeralContainers").forbidden("cannot be set on create");
    }
    if (!spec.at("nodeName").isEmpty() && !spec.at("schedulingGates").isEmpty()) {
      spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
    }
  }

  /** Checks annotations and spec of a pod, new or changed. */
  static void spec(FieldValue pod) {
    FieldValue spec = pod.at("spec");
    mirror(pod);
    Map<String, JsonNode> volumes = VolumeRules.each(spec.at("volumes"), spec.causes());
    Set<String> claims = claims(pod, spec.at("resourceClaims"));
    new ContainerRules(spec, volumes, claims).each();
    resources(spec, claims);
    ContainerRules.hostNetwork(spec);
    spec.at("restartPolicy").oneOf("Always", "OnFailure", "Never");
    spec.at("dnsPolicy").oneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    MetadataRules.labels(spec.at("nodeSelector"));
    SecurityRules.ofPod(spec);
    SchedulingRules.affinity(spec.at("affinity"));
    dns(spec);
    for (FieldValue gate : spec.at("readinessGates").items()) {
      gate.at("conditionType").check(Format.QUALIFIED_NAME);
    }
    gates(spec.at("schedulingGates"));
    SchedulingRules.spread(spec.at("topologySpreadConstraints"));
    SecurityRules.ofUserNamespace(spec);
    hostName(spec);
    names(spec);
    SecurityRules.ofSystem(spec);
    for (FieldValue container : containers(spec)) {
      VolumeRules.filesOfVariables(container, spec.at("volumes"));
    }
    if (spec.at("serviceAccountName").isEmpty()) {
      VolumeRules.forbidTokens(spec.at("volumes"));
    }
    for (String list : List.of("containers", "initContainers")) {
      spec.at(list).items().forEach(ContainerRules::image);
    }
  }

  /** All containers of a pod, those that run before first. */
  static List<FieldValue> containers(FieldValue spec) {
    List<FieldValue> containers = new ArrayList<>(spec.at("initContainers").items());
    containers.addAll(spec.at("containers").items());
    containers.addAll(spec.at("ephemeralContainers").items());
    return containers;
  }

  static FieldValue mirrorOf(FieldValue pod) {
    return pod.at("metadata", "annotations").key("kubernetes.io/config.mirror");
  }

  static void mirror(FieldValue pod) {
    FieldValue mirror = mirrorOf(pod);
    if (mirror.isPresent() && pod.at("spec", "nodeName").isEmpty()) {
      mirror.invalid("must set spec.nodeName if mirror pod annotation is set");
    }
  }

  private static Set<String> claims(FieldValue pod, FieldValue claims) {
    Set<String> names = new HashSet<>();
    for (FieldValue claim : claims.items()) {
      if (mirrorOf(pod).isPresent()) {
        claim.causes().forbidden("[]", "static pods do not support resource claims");
        continue;
      }
      FieldValue name = claim.at("name");
      if (!name.requireAny()) {
        name.check(Format.DNS_LABEL);
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      claim(claim);
    }
    return names;
  }

  private static void claim(FieldValue claim) {
    FieldValue direct = claim.at("resourceClaimName");
    FieldValue template = claim.at("resourceClaimTemplateName");
    if (direct.isPresent() == template.isPresent()) {
      claim.invalid(
          GoText.struct(claim.json(), "Name", "ResourceClaimName?", "ResourceClaimTemplateName?")
              .toString(),
          direct.isPresent()
              ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
              : "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    for (FieldValue source : List.of(direct, template)) {
      if (source.isPresent()) {
        source.check(Format.DNS_SUBDOMAIN);
      }
    }
  }

  /** Resources of the pod as a whole hold those of its containers. */
  private static void resources(FieldValue spec, Set<String> claims) {
    FieldValue resources = spec.at("resources");
    if (!resources.isPresent()) {
      return;
    }
    if (spec.at("os", "name").is("windows")) {
      resources.forbidden("may not be set for a windows pod");
      return;
    }
    resources.at("claims").forbidAny("claims may not be set for Resources at pod-level");
    ResourceRules.ofPod(resources, claims);
    Map<String, JsonNode> sums = PodResources.ofContainers(spec.json(), "requests");
    for (String resource : resources.at("requests").keys()) {
      JsonNode whole = resources.json().path("requests").path(resource);
      JsonNode sum = sums.get(resource);
      if (sum != null && Quantities.exact(sum).compareTo(Quantities.exact(whole)) > 0) {
        resources
            .at("requests")
            .key(resource)
            .invalid(
                GoText.quoted(Quantities.canonical(whole)),
                "must be greater than or equal to aggregate container requests of "
                    + Quantities.canonical(sum));
      }
    }
    hugePages(spec, resources.at("limits"));
    limits(spec, resources);
  }

  private static void hugePages(FieldValue spec, FieldValue limits) {
    PodResources.ofContainers(spec.json(), "limits")
        .forEach(
            (resource, sum) -> {
              JsonNode whole = limits.json().path(resource);
              if (PodResources.isHugePages(resource)
                  && !whole.isMissingNode()
                  && Quantities.exact(sum).compareTo(Quantities.exact(whole)) > 0) {
                limits
                    .key(resource)
                    .invalid(
                        GoText.quoted(Quantities.canonical(whole)),
                        "must be greater than or equal to aggregate container limits of "
                            + Quantities.canonical(sum));
              }
            });
  }

  private static void limits(FieldValue spec, FieldValue resources) {
    List<FieldValue> containers = spec.at("containers").items();
    for (int i = 0; i < containers.size(); i++) {
      FieldValue limits = containers.get(i).at("resources", "limits");
      for (String resource : limits.keys()) {
        JsonNode whole = resources.json().path("limits").path(resource);
        JsonNode own = limits.json().path(resource);
        BigDecimal most = Quantities.exact(whole);
        if (!whole.isMissingNode() && Quantities.exact(own).compareTo(most) > 0) {
          resources
              .at("containers")
              .item(i)
              .key(resource)
              .at("limits")
              .invalid(
                  GoText.quoted(Quantities.canonical(own)),
                  "must be less than or equal to pod limits of " + Quantities.canonical(whole));
        }
      }
    }
  }

  private static void dns(FieldValue spec) {
    FieldValue config = spec.at("dnsConfig");
    FieldValue servers = config.at("nameservers");
    if (spec.at("dnsPolicy").is("None")) {
      if (!config.isPresent()) {
        config.required("must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      } else if (servers.isEmpty()) {
        servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    if (servers.items().size() > NAME_SERVERS) {
      servers.invalid("must not have more than %d nameservers".formatted(NAME_SERVERS));
    }
    servers.items().forEach(server -> server.check(Format.ADDRESS));
    FieldValue searches = config.at("searches");
    if (searches.items().size() > SEARCH_DOMAINS) {
      searches.invalid("must not have more than %d search paths".formatted(SEARCH_DOMAINS));
    }
    if (String.join(" ", MetadataRules.texts(searches.json())).length() > SEARCH_CHARACTERS) {
      searches.invalid(
          "must not have more than %d characters (including spaces) in the search list"
              .formatted(SEARCH_CHARACTERS));
    }
    for (FieldValue search : searches.items()) {
      if (!search.is(".")) {
        search.check(
            text ->
                Format.DNS_SUBDOMAIN_WITH_UNDERSCORES.problems(
                    text.endsWith(".") ? text.substring(0, text.length() - 1) : text));
      }
    }
    for (FieldValue option : config.at("options").items()) {
      if (option.at("name").isEmpty()) {
        option.required("must not be empty");
      }
    }
  }

  private static void gates(FieldValue gates) {
    Set<String> seen = new HashSet<>();
    for (FieldValue gate : gates.items()) {
      FieldValue name = gate.reporting(gate.at("name"));
      name.check(Format.QUALIFIED_NAME);
      if (!seen.add(name.text())) {
        name.duplicate();
      }
    }
  }

  private static void hostName(FieldValue spec) {
    FieldValue name = spec.at("hostnameOverride");
    if (!name.isPresent()) {
      return;
    }
    if (spec.at("setHostnameAsFQDN").isTrue()) {
      name.forbidden("may not be specified when setHostnameAsFQDN is true");
    }
    if (spec.at("hostNetwork").isTrue()) {
      name.forbidden("may not be specified when hostNetwork is true");
    }
    if (name.text().length() > HOST_NAME) {
      name.tooLong(HOST_NAME);
    }
    name.check(Format.DNS_SUBDOMAIN);
  }

  private static void names(FieldValue spec) {
    spec.at("serviceAccountName").checkAny(Format.DNS_SUBDOMAIN);
    spec.at("nodeName").checkAny(Format.DNS_SUBDOMAIN);
    spec.at("activeDeadlineSeconds").between(1, Integer.MAX_VALUE);
    spec.at("hostname").checkAny(Format.DNS_LABEL);
    spec.at("subdomain").checkAny(Format.DNS_LABEL);
    SchedulingRules.tolerations(spec.at("tolerations"));
    for (FieldValue alias : spec.at("hostAliases").items()) {
      alias.at("ip").check(Format.ADDRESS);
      alias.at("hostnames").items().forEach(name -> name.check(Format.DNS_SUBDOMAIN));
    }
    spec.at("priorityClassName").checkAny(Format.DNS_SUBDOMAIN);
    if (spec.at("runtimeClassName").isPresent()) {
      spec.at("runtimeClassName").check(Format.DNS_SUBDOMAIN);
    }
    spec.at("preemptionPolicy").anyOneOf("PreemptLowerPriority", "Never");
  }
}
