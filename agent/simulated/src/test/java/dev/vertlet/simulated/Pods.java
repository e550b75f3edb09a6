package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.simulated.rule.Annotations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds pods for tests: one regular container {@code main} unless told otherwise. */
public final class Pods {
  static final String IMAGE = "registry.example/app:1";

  private final PodRef ref;
  private String node = "node-1";
  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, String> annotations = new HashMap<>();
  private @Nullable String controllerKind;
  private boolean hostNetwork;
  private PodStatusView status = PodStatusView.EMPTY;
  private final List<ContainerView> init = new ArrayList<>();
  private final List<ContainerView> regular = new ArrayList<>();

  private Pods(String name) {
    ref = new PodRef("default", name, "uid-of-" + name);
  }

  public static Pods pod(String name) {
    return new Pods(name);
  }

  public static ContainerView container(String name) {
    return new ContainerView(name, IMAGE, "IfNotPresent", null);
  }

  Pods on(String nodeName) {
    node = nodeName;
    return this;
  }

  Pods label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  /** Keys without their prefix, and values, by turns. */
  Pods annotate(String... settings) {
    for (int i = 0; i < settings.length; i += 2) {
      annotations.put(Annotations.PREFIX + settings[i], settings[i + 1]);
    }
    return this;
  }

  /** With their prefixes. */
  public Pods annotations(Map<String, String> more) {
    annotations.putAll(more);
    return this;
  }

  Pods ownedBy(String kind) {
    controllerKind = kind;
    return this;
  }

  Pods onHostNetwork() {
    hostNetwork = true;
    return this;
  }

  public Pods init(String name) {
    init.add(container(name));
    return this;
  }

  Pods sidecar(String name) {
    init.add(new ContainerView(name, IMAGE, "IfNotPresent", RestartPolicy.ALWAYS));
    return this;
  }

  Pods container(ContainerView container) {
    regular.add(container);
    return this;
  }

  Pods containers(String... names) {
    for (String name : names) {
      regular.add(container(name));
    }
    return this;
  }

  Pods status(PodPhase phase, List<String> ips, ContainerStatusView... statuses) {
    status =
        new PodStatusView(
            phase,
            null,
            null,
            "192.0.2.1",
            ips,
            FakeTime.START,
            null,
            List.of(),
            List.of(),
            List.of(statuses),
            List.of());
    return this;
  }

  public PodView view() {
    List<ContainerView> containers = regular.isEmpty() ? List.of(container("main")) : regular;
    return new PodView(
        ref,
        1,
        1,
        node,
        labels,
        annotations,
        controllerKind,
        FakeTime.START,
        null,
        null,
        new PodSpecView(
            1,
            RestartPolicy.ALWAYS,
            30,
            null,
            hostNetwork,
            0,
            List.of(),
            init,
            containers,
            List.of()),
        status);
  }

  /** A status as the kubelet core would write it for this record. */
  static ContainerStatusView statusOf(
      ContainerRecord record, boolean ready, @Nullable ContainerStateView lastState) {
    return new ContainerStatusView(
        MountsView.none(record.name()),
        record.image(),
        record.imageId(),
        record.id(),
        record.attempt(),
        ready,
        record.running(),
        record.state(),
        lastState,
        Map.of(),
        null,
        record.user());
  }
}
