package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.container.TokenVolume;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a Pod. Field numbers are those of {@code core/v1} and {@code meta/v1} generated.proto. */
final class PodReader {
  private static final Fields POD = Fields.of("1 metadata", "2 spec", "3 status");
  private static final Fields SPEC =
      Fields.of(
          "1 volumes",
          "2 containers",
          "3 restartPolicy",
          "4 terminationGracePeriodSeconds",
          "5 activeDeadlineSeconds",
          "6 dnsPolicy",
          "7 nodeSelector",
          "8 serviceAccountName",
          "10 nodeName",
          "11 hostNetwork",
          "13 hostIPC",
          "14 securityContext",
          "16 hostname",
          "17 subdomain",
          "18 affinity",
          "20 initContainers",
          "22 tolerations",
          "23 hostAliases",
          "25 priority",
          "26 dnsConfig",
          "28 readinessGates",
          "30 enableServiceLinks",
          "32 overhead",
          "34 ephemeralContainers",
          "35 setHostnameAsFQDN",
          "36 os",
          "40 resources",
          "41 hostnameOverride");
  private static final Fields GATE = Fields.of("1 conditionType");

  /** The API's default for {@code terminationGracePeriodSeconds}. */
  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final Interner interner;
  private final StatusReader statuses;

  PodReader(Interner interner) {
    this.interner = interner;
    this.statuses = new StatusReader(interner);
  }

  /** Reads the pod just entered. */
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
        shared(meta.creationTimestamp),
        meta.deletionTimestamp,
        meta.deletionGracePeriodSeconds,
        interner.share(spec.view()),
        status,
        spec.token.token());
  }

  private @Nullable Instant shared(@Nullable Instant time) {
    return time == null ? null : interner.share(time);
  }

  /** List of a pod's spec that a container is in. */
  enum ContainerRole {
    INIT,
    REGULAR,
    EPHEMERAL
  }

  /** Reads the fields of one {@code PodSpec}. */
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
    private ResourcesView whole = ResourcesView.NONE;
    private final List<String> gates = new ArrayList<>(0);
    private final List<ContainerView> init = new ArrayList<>(0);
    private final List<ContainerView> regular = new ArrayList<>(2);
    private final List<ContainerView> ephemeral = new ArrayList<>(0);
    private final PlacementReader placement = new PlacementReader();
    private final TokenVolume token = new TokenVolume();
    private final NetworkReader network = new NetworkReader();

    void read(ObjectReader in) {
      in.enter();
      int start = in.offset();
      while (in.next(SPEC)) {
        switch (in.field()) {
          case "containers" -> regular.add(container(in, ContainerRole.REGULAR));
          case "restartPolicy" -> restartPolicy = in.shared();
          case "terminationGracePeriodSeconds" -> grace = in.integer();
          case "activeDeadlineSeconds" -> activeDeadline = in.integer();
          case "nodeName" -> nodeName = in.shared();
          case "hostNetwork" -> hostNetwork = in.flag();
          case "initContainers" -> init.add(container(in, ContainerRole.INIT));
          case "priority" -> priority = (int) in.integer();
          case "readinessGates" -> gates.add(gate(in));
          case "serviceAccountName" -> serviceAccount = in.shared();
          case "enableServiceLinks" -> serviceLinks = in.flag();
          case "resources" -> whole = ContainerReader.resources(in);
          case "ephemeralContainers" -> ephemeral.add(container(in, ContainerRole.EPHEMERAL));
          case "hostname",
              "subdomain",
              "hostnameOverride",
              "setHostnameAsFQDN",
              "dnsPolicy",
              "dnsConfig",
              "hostAliases" ->
              network.read(in);
          default -> placement.read(in);
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
          serviceLinks,
          interner.share(placement.view(hostNetwork, whole)),
          interner.share(network.view()));
    }

    private List<ContainerView> shared(List<ContainerView> containers) {
      if (!whole.limits().isEmpty()) {
        containers.replaceAll(container -> container.withPodLimits(whole.limits()));
      }
      if (token.isSeveral()) {
        containers.replaceAll(container -> container.withMounts(token.settled(container.mounts())));
      }
      placement.addUsers(containers);
      return interner.share(List.copyOf(containers));
    }

    private ContainerView container(ObjectReader in, ContainerRole role) {
      if (role == ContainerRole.EPHEMERAL) {
        in.enterInlined(1);
      } else {
        in.enter();
      }
      return ContainerReader.read(in, role, placement, token);
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
