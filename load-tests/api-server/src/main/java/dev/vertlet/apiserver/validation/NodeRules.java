package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Nodes. Some paths are not where the fields are: the real server reports them so. */
public final class NodeRules {
  private static final String NO_SECOND_RANGE =
      "node updates may not change podCIDR except from \"\" to valid";

  private NodeRules() {}

  /** Checks a new node. */
  public static void created(FieldValue node) {
    taints(node);
    amounts(node);
    FieldValue swap =
        node.at("metadata", "nodeSwapStatus", "capacity")
            .reporting(node.at("status", "nodeInfo", "swap", "capacity"));
    if (swap.isPresent()) {
      SchedulingRules.positive(swap);
    }
    features(node.at("status", "declaredFeatures"));
    ranges(node.at("spec", "podCIDRs"));
  }

  /** Checks an update of a node or its status; what has not changed is not looked at again. */
  public static void updated(FieldValue next, FieldValue current) {
    FieldValue status = next.at("status");
    FieldValue old = current.at("status");
    if (differs(status, old, "capacity") || differs(status, old, "allocatable")) {
      amounts(next);
    }
    if (differs(status, old, "declaredFeatures")) {
      features(status.at("declaredFeatures"));
    }
    if (differs(status, old, "addresses")) {
      addresses(status.at("addresses"));
    }
    frozen(next.at("spec"), current.at("spec"));
    if (next.at("spec", "configSource").isPresent()) {
      ConfigSourceRules.assigned(next.at("spec", "configSource"));
    }
    for (String source : List.of("assigned", "active", "lastKnownGood")) {
      if (status.at("config", source).isPresent()) {
        ConfigSourceRules.reported(status.at("config", source));
      }
    }
    if (differs(next.at("spec"), current.at("spec"), "taints")) {
      taints(next);
    }
    FieldValue external = next.at("spec", "externalID");
    if (differs(next.at("spec"), current.at("spec"), "externalID")) {
      external.forbidden("may not be updated");
    }
  }

  private static boolean differs(FieldValue next, FieldValue current, String field) {
    return !next.at(field).json().equals(current.at(field).json());
  }

  private static void taints(FieldValue node) {
    SchedulingRules.taints(node.at("metadata", "taints").reporting(node.at("spec", "taints")));
  }

  private static void amounts(FieldValue node) {
    for (String kind : List.of("capacity", "allocatable")) {
      FieldValue amounts = node.at("status", kind);
      amounts.keys().forEach(name -> ResourceRules.amount(name, amounts.at(name)));
    }
  }

  private static void features(FieldValue features) {
    List<FieldValue> all = features.items();
    for (int i = 0; i < all.size(); i++) {
      FieldValue feature = all.get(i);
      if (!isFeature(feature.text())) {
        feature.invalid(
            ("invalid feature name %s: must start with an UpperCamelCase segment, with subsequent"
                    + " segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and"
                    + " contain only alphanumeric characters and slashes")
                .formatted(GoText.quoted(feature.text())));
      }
      if (i + 1 < all.size()) {
        FieldValue after = all.get(i + 1);
        int order = feature.text().compareTo(after.text());
        if (order == 0) {
          after.duplicate();
        } else if (order > 0) {
          after.invalid("list must be sorted alphabetically");
        }
      }
    }
  }

  private static boolean isFeature(String name) {
    return name.length() <= Format.SUBDOMAIN_LENGTH
        && name.matches("[A-Z][a-zA-Z0-9]*(/[a-zA-Z0-9]+)*");
  }

  private static void ranges(FieldValue ranges) {
    int v6 = 0;
    int v4 = 0;
    for (FieldValue range : ranges.items()) {
      range.check(Format.RANGE);
      v6 += IpText.isV6(range.text()) ? 1 : 0;
      v4 += IpText.isV6(range.text()) ? 0 : 1;
    }
    if (v6 > 1 || v4 > 1) {
      ranges.invalid("may specify no more than one CIDR for each IP family");
    }
  }

  private static void addresses(FieldValue addresses) {
    Set<JsonNode> seen = new HashSet<>();
    for (FieldValue address : addresses.items()) {
      if (!seen.add(address.json())) {
        address
            .causes()
            .duplicate(
                address.path(), GoText.struct(address.json(), "Type", "Address").toString(), "");
      }
    }
  }

  /** What is set once. */
  private static void frozen(FieldValue spec, FieldValue old) {
    FieldValue ranges = spec.at("podCIDRs");
    List<FieldValue> before = old.at("podCIDRs").items();
    if (!before.isEmpty() && before.size() != ranges.items().size()) {
      ranges.forbidden(NO_SECOND_RANGE);
    } else {
      for (int i = 0; i < before.size(); i++) {
        if (!before.get(i).json().equals(ranges.item(i).json())) {
          ranges.forbidden(NO_SECOND_RANGE);
        }
      }
    }
    if (!old.at("providerID").isEmpty() && differs(spec, old, "providerID")) {
      spec.at("providerID")
          .forbidden("node updates may not change providerID except from \"\" to valid");
    }
  }
}
