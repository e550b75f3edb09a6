package dev.vertlet.env;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Value of a {@code resourceFieldRef}: in units of its divisor, rounded up. If a container has no
 * limit of cpu, memory or ephemeral storage, the limit of its pod applies, and then the node's
 * allocatable amount.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/api/v1/resource/helpers.go">
 *     ExtractContainerResourceValue, MergeContainerResourceLimits</a>
 */
final class ResourceReference {
  private static final String LIMITS = "limits.";
  private static final String REQUESTS = "requests.";
  private static final String HUGE_PAGES = "hugepages-";
  private static final Set<String> DEFAULTED = Set.of("cpu", "memory", "ephemeral-storage");

  private ResourceReference() {}

  static String value(ValueFrom.Resource reference, PodView pod, ContainerView own, PodFacts facts)
      throws EnvironmentException {
    String path = reference.resource();
    boolean limit = path.startsWith(LIMITS);
    String resource = path.substring(path.indexOf('.') + 1);
    boolean known = DEFAULTED.contains(resource) || resource.startsWith(HUGE_PAGES);
    if (!known || !(limit || path.startsWith(REQUESTS))) {
      throw new EnvironmentException("unsupported container resource : " + path);
    }
    ResourcesView resources = resources(reference.container(), pod, own, facts);
    String amount = (limit ? resources.limits() : resources.requests()).getOrDefault(resource, "0");
    String divisor = isZero(reference.divisor()) ? "1" : reference.divisor();
    return Quantities.dividedUp(resource, amount, divisor).toString();
  }

  private static ResourcesView resources(
      String name, PodView pod, ContainerView own, PodFacts facts) throws EnvironmentException {
    if (name.isEmpty()) {
      return defaulted(own.resources(), facts);
    }
    for (ContainerView container : pod.spec().containers()) {
      if (container.name().equals(name)) {
        return defaulted(container.resources(), facts);
      }
    }
    for (ContainerView container : pod.spec().initContainers()) {
      if (container.name().equals(name)) {
        // as in the kubelet: limits of named init containers get no default
        return container.resources();
      }
    }
    throw new EnvironmentException("container " + name + " not found");
  }

  private static ResourcesView defaulted(ResourcesView resources, PodFacts facts) {
    Map<String, String> limits = new HashMap<>(resources.limits());
    for (String resource : DEFAULTED) {
      String allocatable = facts.allocatable().get(resource);
      if (allocatable != null && isZero(limits.getOrDefault(resource, ""))) {
        String ofPod = resources.podLimits().getOrDefault(resource, "");
        limits.put(resource, isZero(ofPod) ? allocatable : ofPod);
      }
    }
    return new ResourcesView(resources.requests(), limits, resources.podLimits());
  }

  private static boolean isZero(String quantity) {
    return quantity.isEmpty() || Quantities.isZero(quantity);
  }
}
