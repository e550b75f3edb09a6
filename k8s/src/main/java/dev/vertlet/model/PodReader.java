package dev.vertlet.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a Pod. Field numbers are those of {@code core/v1} and {@code meta/v1} generated.proto. */
final class PodReader {
  private static final Fields POD = Fields.of("1 metadata", "2 spec", "3 status");
  private static final Fields SPEC =
      Fields.of(
          "2 containers",
          "3 restartPolicy",
          "4 terminationGracePeriodSeconds",
          "5 activeDeadlineSeconds",
          "8 serviceAccountName",
          "10 nodeName",
          "11 hostNetwork",
          "20 initContainers",
          "25 priority",
          "28 readinessGates",
          "30 enableServiceLinks",
          "34 ephemeralContainers",
          "40 resources");
  private static final Fields GATE = Fields.of("1 conditionType");

  /** The API's default for {@code terminationGracePeriodSeconds}. */
  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final Interner interner;
  private final StatusReader statuses;

  PodReader(Interner interner) {
    this.interner = interner;
    this.statuses = new StatusReader(interner);
  }

  /** The pod just entered. */
  PodView read(ObjectReader in) {
    Metadata meta = new Metadata();
    Spec spec = new Spec();
    PodStatusView status = PodStatusView.EMPTY;
    while (in.next(POD)) {
      switch (in.field()) {
        case "metadata" -> meta.read(in);
        case "spec" -> spec.read(in);
        case "status" -> status = statuses.read(in);
      }
    }
    return new PodView(
        meta.ref(in),
        meta.resourceVersion(in),
        meta.generation,
        spec.nodeName,
        interner.share(meta.labels()),
        interner.share(meta.annotations()),
        meta.controllerKind,
        meta.creationTimestamp,
        meta.deletionTimestamp,
        meta.deletionGracePeriodSeconds,
        spec.view(),
        status);
  }

  /** Collects the fields of one {@code PodSpec}. */
  private final class Spec {
    private String nodeName = "";
    private long hash;
    private String restartPolicy = "";
    private long grace = DEFAULT_GRACE_SECONDS;
    private @Nullable Long activeDeadline;
    private boolean hostNetwork;
    private int priority;
    private String serviceAccount = "";
    private boolean serviceLinks = true;
    private Map<String, String> podLimits = Map.of();
    private final List<String> gates = new ArrayList<>(0);
    private final List<ContainerView> init = new ArrayList<>(0);
    private final List<ContainerView> regular = new ArrayList<>(2);
    private final List<ContainerView> ephemeral = new ArrayList<>(0);

    void read(ObjectReader in) {
      in.enter();
      int start = in.offset();
      while (in.next(SPEC)) {
        switch (in.field()) {
          case "containers" -> regular.add(container(in, false));
          case "restartPolicy" -> restartPolicy = in.shared();
          case "terminationGracePeriodSeconds" -> grace = in.integer();
          case "activeDeadlineSeconds" -> activeDeadline = in.integer();
          case "nodeName" -> nodeName = in.shared();
          case "hostNetwork" -> hostNetwork = in.flag();
          case "initContainers" -> init.add(container(in, false));
          case "priority" -> priority = (int) in.integer();
          case "readinessGates" -> gates.add(gate(in));
          case "serviceAccountName" -> serviceAccount = in.shared();
          case "enableServiceLinks" -> serviceLinks = in.flag();
          case "resources" -> podLimits = ContainerReader.resources(in).limits();
          case "ephemeralContainers" -> ephemeral.add(container(in, true));
        }
      }
      hash = in.hashSince(start);
    }

    PodSpecView view() {
      return new PodSpecView(
          hash,
          RestartPolicy.of(restartPolicy),
          grace,
          activeDeadline,
          hostNetwork,
          priority,
          interner.share(List.copyOf(gates)),
          shared(init),
          shared(regular),
          shared(ephemeral),
          serviceAccount,
          serviceLinks);
    }

    private List<ContainerView> shared(List<ContainerView> containers) {
      if (!podLimits.isEmpty()) {
        containers.replaceAll(container -> container.withPodLimits(podLimits));
      }
      return interner.share(List.copyOf(containers));
    }

    private ContainerView container(ObjectReader in, boolean inlined) {
      if (inlined) {
        in.enterInlined(1);
      } else {
        in.enter();
      }
      return ContainerReader.read(in);
    }

    private String gate(ObjectReader in) {
      String type = "";
      in.enter();
      while (in.next(GATE)) {
        type = in.shared();
      }
      return type;
    }
  }
}
