package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/**
 * The status of a pod. Load tests write little else: what has not changed is not looked at again.
 */
public final class PodStatusRules {
  private static final Set<String> SYSTEM_CONDITIONS =
      Set.of("PodScheduled", "Ready", "Initialized");

  private PodStatusRules() {}

  /** Checks an update of a status. */
  public static void updated(FieldValue next, FieldValue current) {
    PodChangeRules.annotations(next, current);
    if (!PodRules.mirrorOf(next).json().equals(PodRules.mirrorOf(current).json())) {
      PodRules.mirror(next);
    }
    FieldValue status = next.at("status");
    FieldValue old = current.at("status");
    conditions(status.at("conditions"));
    FieldValue nominated = status.at("nominatedNodeName");
    if (!nominated.isEmpty() && !nominated.json().equals(old.at("nominatedNodeName").json())) {
      nominated.check(Format.DNS_SUBDOMAIN);
      if (!next.at("spec", "nodeName").isEmpty()) {
        nominated.forbidden("may not be set on pods that are already bound to a node");
      }
    }
    notNegative(status.at("observedGeneration"));
    if (!status.at("qosClass").json().equals(old.at("qosClass").json())) {
      FieldValue quality = status.at("qosClass");
      quality.invalid(GoText.quoted(quality.text()), "field is immutable");
    }
    RestartRules.eachStatus(next, current);
    claims(status.at("resourceClaimStatuses"), next.at("spec", "resourceClaims"));
    podAddresses(status, old);
    hostAddresses(status, old);
    users(status, next.at("spec", "os", "name").text());
    devices(status.at("containerStatuses"), next.at("spec", "containers"));
    devices(status.at("initContainerStatuses"), next.at("spec", "initContainers"));
    for (FieldValue container : status.at("ephemeralContainerStatuses").items()) {
      if (!container.at("allocatedResourcesStatus").isEmpty()) {
        container
            .at("allocatedResourcesStatus")
            .forbidden("must not be specified in container status");
      }
    }
  }

  private static void notNegative(FieldValue generation) {
    if (generation.number() < 0) {
      generation.invalid("must be a non-negative integer");
    }
  }

  private static void conditions(FieldValue conditions) {
    for (FieldValue condition : conditions.items()) {
      notNegative(condition.at("observedGeneration"));
      FieldValue type = condition.at("type");
      if (!SYSTEM_CONDITIONS.contains(type.text())) {
        condition.at("Type").reporting(type).check(Format.QUALIFIED_NAME);
      }
    }
  }

  private static void claims(FieldValue statuses, FieldValue claims) {
    Set<String> known = new HashSet<>();
    claims.json().forEach(claim -> known.add(claim.path("name").asText()));
    Set<String> seen = new HashSet<>();
    for (FieldValue status : statuses.items()) {
      FieldValue name = status.at("name");
      if (!known.contains(name.text())) {
        name.invalid(
            GoText.quoted(name.text()), "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!seen.add(name.text())) {
        name.duplicate();
      }
      if (status.at("resourceClaimName").isPresent()) {
        status.at("resourceClaimName").check(Format.DNS_SUBDOMAIN);
      }
    }
  }

  private static void podAddresses(FieldValue status, FieldValue old) {
    addresses(status.at("podIPs"), old.at("podIPs"));
  }

  private static void hostAddresses(FieldValue status, FieldValue old) {
    FieldValue first = status.at("hostIPs").item(0).at("ip");
    if (first.isPresent() && !first.text().equals(status.at("hostIP").text())) {
      first.invalid("must be equal to `hostIP`");
    }
    addresses(status.at("hostIPs"), old.at("hostIPs"));
  }

  private static void addresses(FieldValue addresses, FieldValue old) {
    if (addresses.isEmpty() || addresses.json().equals(old.json())) {
      return;
    }
    Set<String> known = new HashSet<>();
    old.json().forEach(address -> known.add(address.path("ip").asText()));
    int v6 = 0;
    int v4 = 0;
    for (FieldValue address : addresses.items()) {
      FieldValue ip = address.reporting(address.at("ip"));
      if (!known.contains(ip.text())) {
        ip.check(Format.ADDRESS);
      }
      v6 += IpText.isV6(ip.text()) ? 1 : 0;
      v4 += IpText.isV6(ip.text()) ? 0 : 1;
    }
    if (v6 > 1 || v4 > 1) {
      addresses.invalid(
          GoText.structs(addresses.json(), "IP").toString(),
          "may specify no more than one IP for each IP family");
    }
  }

  private static void users(FieldValue status, String os) {
    for (String list : RestartRules.STATUSES) {
      for (FieldValue container : status.at(list).items()) {
        FieldValue linux = container.at("user", "linux");
        if (!linux.isPresent()) {
          continue;
        }
        if (os.equals("windows")) {
          linux.forbidden("cannot be set for a windows pod");
        } else {
          linux.at("uid").id();
          linux.at("gid").id();
          linux.at("supplementalGroups").items().forEach(FieldValue::id);
        }
      }
    }
  }

  private static void devices(FieldValue statuses, FieldValue containers) {
    for (FieldValue status : statuses.items()) {
      for (FieldValue device : status.at("allocatedResourcesStatus").items()) {
        for (JsonNode container : containers.json()) {
          if (container.path("name").equals(status.at("name").json())) {
            owned(device.at("name"), container.path("resources"));
          }
        }
        health(device.at("resources"));
      }
    }
  }

  private static void owned(FieldValue name, JsonNode resources) {
    if (name.text().startsWith("claim:")) {
      boolean found = false;
      for (JsonNode claim : resources.path("claims")) {
        String request = claim.path("request").asText("");
        String key =
            "claim:" + claim.path("name").asText() + (request.isEmpty() ? "" : "/" + request);
        found |= key.equals(name.text());
      }
      if (!found) {
        name.invalid(
            "must match one of the container's resource claims in a format"
                + " 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty");
      }
    } else if (!resources.path("requests").has(name.text())) {
      name.invalid(
          GoText.quoted(name.text()), "must match one of the container's resource requests");
    }
  }

  private static void health(FieldValue resources) {
    Set<String> seen = new HashSet<>();
    for (FieldValue resource : resources.items()) {
      resource.at("health").oneOf("Healthy", "Unhealthy", "Unknown");
      if (!seen.add(resource.at("resourceID").text())) {
        resource.at("resourceID").duplicate();
      }
    }
  }
}
