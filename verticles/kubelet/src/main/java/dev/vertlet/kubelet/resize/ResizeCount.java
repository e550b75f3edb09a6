package dev.vertlet.kubelet.resize;

import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import java.util.List;
import java.util.Map;

/** Counts each amount that a pod asks to change, as a kubelet does. */
final class ResizeCount {
  private static final List<String> COUNTED = List.of("memory", "cpu");

  private ResizeCount() {}

  static void tell(CoreMeters meters, PodView before, PodView now) {
    for (ContainerView container : now.spec().containers()) {
      tell(meters, before, container);
    }
    for (ContainerView container : now.spec().initContainers()) {
      tell(meters, before, container);
    }
  }

  private static void tell(CoreMeters meters, PodView before, ContainerView container) {
    ContainerView old = before.spec().container(container.name());
    if (old == null || old.resources().sameAmounts(container.resources())) {
      return;
    }
    for (String resource : COUNTED) {
      tell(
          meters,
          resource,
          "requests",
          amount(resource, old.resources().requests()),
          amount(resource, container.resources().requests()));
      tell(
          meters,
          resource,
          "limits",
          amount(resource, old.resources().limits()),
          amount(resource, container.resources().limits()));
    }
  }

  private static void tell(
      CoreMeters meters, String resource, String requirement, long before, long now) {
    if (before != now) {
      meters.resizeRequested(resource, requirement, operation(before, now));
    }
  }

  private static String operation(long before, long now) {
    if (now == 0) {
      return "remove";
    }
    if (before == 0) {
      return "add";
    }
    return now < before ? "decrease" : "increase";
  }

  private static long amount(String resource, Map<String, String> amounts) {
    String text = amounts.getOrDefault(resource, "0");
    return resource.equals("cpu") ? Quantities.milli(text) : Quantities.units(text);
  }
}
