package dev.vertlet.model.resource;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.QosClass;
import dev.vertlet.model.status.PodResourcesView;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes pod-level resources for a pod's status; quantities keep the suffixes of the spec. For a
 * pod with one container the result shares that container's objects.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     convertToAPIPodLevelResourcesStatus, kubelet 1.36.3</a>
 */
public final class PodTotals {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** Minimum CPU request of a pod cgroup, in thousandths (kubelet: MinShares). */
  private static final long LEAST_SHARES = 2;

  /** Minimum CPU limit of a pod cgroup, in thousandths (kubelet: MinMilliCPULimit). */
  private static final long LEAST_LIMIT = 10;

  private final PodSpecView spec;
  private final PlacementView placement;
  private final ResourcesView whole;

  private PodTotals(PodSpecView spec) {
    this.spec = spec;
    this.placement = spec.placement();
    this.whole = placement.whole();
  }

  /**
   * Resources of a pod that does not run: the sum over its containers.
   *
   * @param spec with the granted resources
   */
  public static PodResourcesView granted(PodSpecView spec) {
    ContainerView only = only(spec);
    return only == null ? new PodTotals(spec).granted() : view(only.resources());
  }

  /**
   * Resources of a running pod: those that a node can reserve and enforce for a whole pod. A limit
   * that one of its containers lacks is not enforced.
   *
   * @param spec with the granted resources
   */
  public static PodResourcesView applied(PodSpecView spec) {
    ContainerView only = only(spec);
    return only != null && isPlain(only.resources())
        ? view(only.resources())
        : new PodTotals(spec).applied();
  }

  /**
   * Resources of a running pod during a resize.
   *
   * @param has spec with the containers' current resources
   * @param granted spec with the granted resources
   */
  public static PodResourcesView applied(PodSpecView has, PodSpecView granted) {
    return new PodResourcesView(granted(granted).allocated(), applied(has).applied());
  }

  /** Returns the container whose resources are all of the pod's; null if there are others. */
  private static @Nullable ContainerView only(PodSpecView spec) {
    PlacementView placement = spec.placement();
    boolean alone =
        spec.containers().size() == 1
            && spec.initContainers().isEmpty()
            && placement.overhead().isEmpty()
            && placement.whole() == ResourcesView.NONE;
    return alone ? spec.containers().get(0) : null;
  }

  /** Whether the quantities have the form in which a node reports applied resources. */
  private static boolean isPlain(ResourcesView resources) {
    return isPlain(resources.requests(), LEAST_SHARES) && isPlain(resources.limits(), LEAST_LIMIT);
  }

  private static boolean isPlain(Map<String, String> amounts, long leastCpu) {
    for (Map.Entry<String, String> amount : amounts.entrySet()) {
      boolean plain =
          switch (amount.getKey()) {
            case CPU -> Quantities.milli(amount.getValue()) > leastCpu;
            case MEMORY -> amount.getValue().endsWith("i");
            default -> false;
          };
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  private static PodResourcesView view(ResourcesView resources) {
    return resources == ResourcesView.NONE
        ? PodResourcesView.NONE
        : new PodResourcesView(resources.requests(), resources);
  }

  private PodResourcesView granted() {
    Map<String, String> requests = requests();
    return view(new ResourcesView(requests, limits()));
  }

  private PodResourcesView applied() {
    Map<String, String> granted = requests();
    Map<String, String> requests = new HashMap<>(whole.requests());
    cpu(requests, granted.get(CPU), LEAST_SHARES);
    String memory = granted.get(MEMORY);
    if (memory != null) {
      requests.putIfAbsent(MEMORY, memory);
    }

    Map<String, String> all = limits();
    Map<String, String> limits = new HashMap<>(whole.limits());
    if (isLimited(CPU)) {
      cpu(limits, all.get(CPU), LEAST_LIMIT);
    }
    String most = all.get(MEMORY);
    if (most != null && isLimited(MEMORY) && Quantities.units(most) > 0) {
      limits.put(MEMORY, Quantities.binary(Quantities.units(most)).toString());
    }
    ResourcesView applied =
        requests.isEmpty() && limits.isEmpty()
            ? ResourcesView.NONE
            : new ResourcesView(requests, limits);
    return granted.isEmpty() && applied == ResourcesView.NONE
        ? PodResourcesView.NONE
        : new PodResourcesView(granted, applied);
  }

  private static void cpu(Map<String, String> amounts, @Nullable String cpu, long least) {
    if (cpu != null && Quantities.milli(cpu) > least) {
      amounts.put(CPU, Quantities.parse(CPU, Quantities.milli(cpu) + "m").toString());
    }
  }

  /** Whether a limit of this resource can be enforced for the pod as a whole. */
  private boolean isLimited(String resource) {
    if (placement.qos() != QosClass.BURSTABLE) {
      return placement.qos() == QosClass.GUARANTEED;
    }
    if (hasLimit(whole, resource)) {
      return true;
    }
    boolean sidecars = false;
    for (ContainerView container : spec.initContainers()) {
      boolean own = hasLimit(container.resources(), resource);
      sidecars |= own && container.sidecar();
      if (!own && !sidecars) {
        return false;
      }
    }
    return spec.containers().stream().allMatch(c -> hasLimit(c.resources(), resource));
  }

  private static boolean hasLimit(ResourcesView resources, String resource) {
    String limit = resources.limits().get(resource);
    return limit != null && !Quantities.isZero(limit);
  }

  private Map<String, String> requests() {
    return texts(sum(ResourcesView::requests, placement.overhead()));
  }

  /** The overhead is added to existing limits only. */
  private Map<String, String> limits() {
    Map<String, Quantity> sum = sum(ResourcesView::limits, Map.of());
    placement
        .overhead()
        .forEach(
            (resource, text) ->
                sum.computeIfPresent(
                    resource,
                    (name, limit) ->
                        Quantities.isZero(limit.toString())
                            ? limit
                            : Quantities.add(limit, Quantities.parse(name, text))));
    return texts(sum);
  }

  private Map<String, Quantity> sum(
      Function<ResourcesView, Map<String, String>> what, Map<String, String> overhead) {
    ResourceTally<Quantity> tally = new QuantityTally();
    spec.containers().forEach(c -> tally.regular(what.apply(c.resources())));
    spec.initContainers().forEach(c -> tally.init(what.apply(c.resources()), c.sidecar()));
    return tally.sum(what.apply(whole), overhead);
  }

  private static Map<String, String> texts(Map<String, Quantity> amounts) {
    Map<String, String> texts = new HashMap<>();
    amounts.forEach((name, amount) -> texts.put(name, amount.toString()));
    return texts;
  }

  /** Adds up quantities, which keep the suffixes of the spec. */
  private static final class QuantityTally extends ResourceTally<Quantity> {
    @Override
    Quantity parse(String resource, String quantity) {
      return Quantities.parse(resource, quantity);
    }

    @Override
    Quantity add(Quantity one, Quantity other) {
      return Quantities.add(one, other);
    }

    @Override
    Quantity max(Quantity one, Quantity other) {
      return Quantities.compare(other, one) > 0 ? other : one;
    }
  }
}
