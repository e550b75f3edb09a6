package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.ServiceAddressRules;

/** Decides on the IP families of a Service, on a cluster that has IPv4 alone. */
final class ServiceFamilies {
  private static final String V4 = "IPv4";
  private static final String V6 = "IPv6";
  private static final String POLICY = "ipFamilyPolicy";
  private static final String FAMILIES = "ipFamilies";
  private static final String ADDRESSES = "clusterIPs";
  private static final String PREFERS_BOTH = "PreferDualStack";
  private static final String SINGLE = "SingleStack";
  private static final String BOTH = "RequireDualStack";

  private final ObjectNode service;
  private final ServiceSpec next;
  private final ObjectNode current;
  private final ServiceSpec old;

  /**
   * @param current what is updated, empty for a new Service
   */
  ServiceFamilies(ObjectNode service, ObjectNode current) {
    this.service = service;
    this.next = ServiceSpec.of(service);
    this.current = current;
    this.old = ServiceSpec.view(current);
  }

  /** Fills families and policy; throws {@code 422 Invalid} for what the cluster does not have. */
  void decide() {
    if (next.isExternalName() || keepsPreference()) {
      return;
    }
    if (!next.json().has(POLICY)) {
      String policy = next.isHeadlessWithoutSelector() ? BOTH : SINGLE;
      next.json().put(POLICY, old.json().has(POLICY) ? old.text(POLICY) : policy);
    }
    Causes related = new Causes();
    ServiceAddressRules.related(FieldValue.of(service, related), FieldValue.of(current, related));
    throwIfAny(related);

    Causes causes = new Causes();
    if (!current.isEmpty()) {
      reduce(causes);
    }
    if (next.text(POLICY).equals(SINGLE)) {
      refusePair(ADDRESSES, "cluster IPs", causes);
      refusePair(FAMILIES, "IP families", causes);
    }
    inferFromAddresses(causes);
    throwIfAny(causes);

    if (next.isHeadlessWithoutSelector()) {
      completeHeadless();
    } else {
      complete();
    }
  }

  private boolean keepsPreference() {
    return !current.isEmpty()
        && next.says(old, "type")
        && next.text(POLICY).equals(PREFERS_BOTH)
        && (!old.json().has(POLICY) || old.text(POLICY).equals(PREFERS_BOTH))
        && next.says(old, ADDRESSES)
        && next.says(old, FAMILIES);
  }

  /** A second address or family goes by its policy alone. */
  private void reduce(Causes causes) {
    if (next.text(POLICY).equals(SINGLE)) {
      keepFirstIfUnchanged(ADDRESSES);
      keepFirstIfUnchanged(FAMILIES);
      return;
    }
    refuseReduced(ADDRESSES, "cluster IP", causes);
    refuseReduced(FAMILIES, "IP family", causes);
  }

  private void keepFirstIfUnchanged(String list) {
    if (next.says(old, list) && next.json().get(list) instanceof ArrayNode items) {
      while (items.size() > 1) {
        items.remove(1);
      }
    }
  }

  private void refuseReduced(String list, String what, Causes causes) {
    int size = next.json().path(list).size();
    if (size > 0 && size < old.json().path(list).size()) {
      refusePolicy("must be 'SingleStack' to release the secondary " + what, causes);
    }
  }

  private void refusePair(String list, String what, Causes causes) {
    if (next.json().path(list).size() == 2) {
      refusePolicy(
          "must be 'RequireDualStack' or 'PreferDualStack' when multiple %s are specified"
              .formatted(what),
          causes);
    }
  }

  private void refusePolicy(String why, Causes causes) {
    causes.invalid("spec." + POLICY, next.json().path(POLICY).toString(), why);
  }

  private void inferFromAddresses(Causes causes) {
    JsonNode addresses = next.json().path(ADDRESSES);
    for (int i = 0; i < addresses.size(); i++) {
      String address = addresses.path(i).asText();
      if (address.equals(ServiceSpec.HEADLESS)) {
        return;
      }
      if (i < next.json().path(FAMILIES).size()) {
        continue;
      }
      if (address.indexOf(':') < 0) {
        families().add(V4);
      } else {
        causes.invalid(
            "spec.%s[%d]".formatted(ADDRESSES, i),
            addresses.toString(),
            "IPv6 is not configured on this cluster");
      }
    }
  }

  private ArrayNode families() {
    return next.json().get(FAMILIES) instanceof ArrayNode families
        ? families
        : next.json().putArray(FAMILIES);
  }

  /** A headless Service without selector may have endpoints of any family. */
  private void completeHeadless() {
    ArrayNode families = families();
    if (families.isEmpty()) {
      families.add(V4);
    }
    if (families.size() < 2 && !next.text(POLICY).equals(SINGLE)) {
      families.add(families.path(0).asText().equals(V4) ? V6 : V4);
    }
  }

  private void complete() {
    Causes causes = new Causes();
    if (next.text(POLICY).equals(BOTH)) {
      refusePolicy("this cluster is not configured for dual-stack services", causes);
    }
    ArrayNode families = families();
    for (int i = 0; i < families.size(); i++) {
      if (!families.path(i).asText().equals(V4)) {
        causes.invalid(
            "spec.%s[%d]".formatted(FAMILIES, i),
            families.path(i).toString(),
            "not configured on this cluster");
      }
    }
    throwIfAny(causes);
    if (families.isEmpty()) {
      families.add(V4);
    }
  }

  private void throwIfAny(Causes causes) {
    causes.throwIfAny("", "Service", service.path("metadata").path("name").asText());
  }
}
