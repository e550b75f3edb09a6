package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Quantities;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** Amounts of resources. */
final class ResourceRules {
  private static final String HUGE_PAGES = "hugepages-";
  private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> COUNTS =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");
  private static final Set<String> STANDARD =
      Set.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "storage",
          "requests.storage");

  private ResourceRules() {}

  /** An amount that is not negative, and whole where the resource is counted. */
  static void amount(String resource, FieldValue amount) {
    BigDecimal value = Quantities.exact(amount.json());
    String shown = GoText.quoted(Quantities.canonical(amount.json()));
    if (value.signum() < 0) {
      amount.invalid(shown, "must be greater than or equal to 0");
    }
    boolean counted = COUNTS.contains(resource) || isExtended(resource);
    if (counted && !Quantities.isWhole(value)) {
      amount.invalid(shown, "must be an integer");
    }
  }

  /** Requests and limits of a container. */
  static void ofContainer(FieldValue resources, Set<String> podClaims) {
    requirements(resources, podClaims, false);
  }

  /** Requests and limits of a pod as a whole. */
  static void ofPod(FieldValue resources, Set<String> podClaims) {
    requirements(resources, podClaims, true);
  }

  private static void requirements(FieldValue resources, Set<String> podClaims, boolean ofPod) {
    if (resources.isEmpty()) {
      return;
    }
    FieldValue limits = resources.at("limits");
    FieldValue requests = resources.at("requests");
    Set<String> named = new HashSet<>();
    for (String resource : limits.keys()) {
      named.add(resource);
      one(resource, limits.key(resource), ofPod);
    }
    for (String resource : requests.keys()) {
      named.add(resource);
      one(resource, requests.key(resource), ofPod);
      compare(resource, requests, limits);
    }
    boolean pages = named.stream().anyMatch(ResourceRules::isHugePages);
    if (pages && !named.contains("cpu") && !named.contains("memory")) {
      resources.forbidden("HugePages require cpu or memory");
    }
    claims(resources.at("claims"), podClaims);
  }

  private static void one(String resource, FieldValue amount, boolean ofPod) {
    if (ofPod) {
      nameOfPod(resource, amount);
    } else {
      nameOfContainer(resource, amount);
    }
    amount(resource, amount);
    if (isHugePages(resource) && !isDivisible(resource, amount.json())) {
      String shown = Quantities.canonical(amount.json());
      amount.invalid(
          GoText.quoted(shown),
          "%s is not positive integer multiple of %s".formatted(shown, resource));
    }
  }

  /** Returns whether the name is one of a resource at all. */
  private static boolean name(String resource, FieldValue amount) {
    String shown = GoText.quoted(resource);
    var problems = Format.QUALIFIED_NAME.problems(resource);
    problems.forEach(problem -> amount.invalid(shown, problem));
    if (!problems.isEmpty()) {
      return false;
    }
    boolean known =
        resource.indexOf('/') >= 0
            || STANDARD.contains(resource)
            || COUNTS.contains(resource)
            || isHugePages(resource)
            || resource.startsWith("requests." + HUGE_PAGES);
    if (!known) {
      amount.invalid(shown, "must be a standard resource type or fully qualified");
    }
    return known;
  }

  private static void nameOfContainer(String resource, FieldValue amount) {
    name(resource, amount);
    String shown = GoText.quoted(resource);
    if (resource.indexOf('/') < 0) {
      if (!OF_CONTAINERS.contains(resource) && !isHugePages(resource)) {
        amount.invalid(shown, "must be a standard resource for containers");
      }
    } else if (!isNative(resource) && !isExtended(resource)) {
      amount.invalid(shown, "doesn't follow extended resource name standard");
    }
  }

  private static void nameOfPod(String resource, FieldValue amount) {
    boolean supported =
        resource.equals("cpu") || resource.equals("memory") || isHugePages(resource);
    if (name(resource, amount) && !supported) {
      amount.causes().unsupported(amount.path(), resource, "cpu", HUGE_PAGES, "memory");
    }
  }

  private static boolean isHugePages(String resource) {
    return resource.startsWith(HUGE_PAGES);
  }

  /** Whether the resource is Kubernetes' own. */
  private static boolean isNative(String resource) {
    return resource.indexOf('/') < 0 || resource.contains("kubernetes.io/");
  }

  private static boolean isExtended(String resource) {
    return !isNative(resource)
        && !resource.startsWith("requests.")
        && Format.QUALIFIED_NAME.fits("requests." + resource);
  }

  private static boolean isDivisible(String resource, JsonNode amount) {
    String size = resource.substring(HUGE_PAGES.length());
    if (!Quantities.problem(size).isEmpty()) {
      return false;
    }
    BigDecimal page = Quantities.exact(com.fasterxml.jackson.databind.node.TextNode.valueOf(size));
    return page.signum() > 0
        && Quantities.isWhole(page)
        && Quantities.exact(amount).remainder(page).signum() == 0;
  }

  /** A request is within the limit; what cannot be overcommitted is the limit. */
  private static void compare(String resource, FieldValue requests, FieldValue limits) {
    boolean overcommitted = isNative(resource) && !isHugePages(resource);
    JsonNode request = requests.json().path(resource);
    JsonNode limit = limits.json().path(resource);
    if (limit.isMissingNode()) {
      if (!overcommitted) {
        limits.required("Limit must be set for non overcommitable resources");
      }
      return;
    }
    int order = Quantities.exact(request).compareTo(Quantities.exact(limit));
    if (order == 0 || (order < 0 && overcommitted)) {
      return;
    }
    requests.invalid(
        GoText.quoted(Quantities.canonical(request)),
        "must be %s %s limit of %s"
            .formatted(
                overcommitted ? "less than or equal to" : "equal to",
                resource,
                Quantities.canonical(limit)));
  }

  private static void claims(FieldValue claims, Set<String> podClaims) {
    Set<String> names = new HashSet<>();
    for (FieldValue claim : claims.items()) {
      String name = claim.at("name").text();
      String request = claim.at("request").text();
      if (name.isEmpty()) {
        claim.required();
        continue;
      }
      String key = request.isEmpty() ? name : name + "/" + request;
      claim.at("request").checkAny(Format.DNS_LABEL);
      boolean covered =
          request.isEmpty() && names.stream().anyMatch(old -> old.startsWith(name + "/"));
      if (names.contains(name) || !names.add(key) || covered) {
        claim
            .causes()
            .duplicate(claim.path(), GoText.quoted(names.contains(name) ? name : key), "");
      }
      if (!podClaims.contains(name)) {
        String known =
            podClaims.isEmpty()
                ? " which is empty"
                : ": " + String.join(", ", new TreeSet<>(podClaims));
        claim
            .causes()
            .notFound(
                claim.path(),
                GoText.quoted(name),
                "must be one of the names in pod.spec.resourceClaims" + known);
      }
    }
  }
}
