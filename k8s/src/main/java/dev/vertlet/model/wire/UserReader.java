package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ContainerView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the users of one pod's containers. Most pods set none, which costs nothing.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/security_context.go">
 *     determineEffectiveSecurityContext, kubelet 1.36.3</a>
 */
final class UserReader {
  /** User and group of a pod with runAsNonRoot and without a user. */
  private static final long NONROOT = 65_532;

  private Asked pod = Asked.NOTHING;
  private Asked current = Asked.NOTHING;
  private List<Long> groups = List.of();
  private Map<String, Asked> containers = Map.of();

  /** User settings of one security context; null if unset. */
  private record Asked(@Nullable Long uid, @Nullable Long gid, @Nullable Boolean nonRoot) {
    static final Asked NOTHING = new Asked(null, null, null);

    /**
     * Sets the current field, one of {@code runAsUser}, {@code runAsGroup}, {@code runAsNonRoot}.
     */
    Asked with(ObjectReader in) {
      return switch (in.field()) {
        case "runAsUser" -> new Asked(in.integer(), gid, nonRoot);
        case "runAsGroup" -> new Asked(uid, in.integer(), nonRoot);
        default -> new Asked(uid, gid, in.flag());
      };
    }

    /** Fills in unset fields from {@code other}. */
    Asked or(Asked other) {
      return new Asked(
          uid == null ? other.uid : uid,
          gid == null ? other.gid : gid,
          nonRoot == null ? other.nonRoot : nonRoot);
    }
  }

  /** Reads the current field of the pod's security context, one of those in {@link Asked}. */
  void pod(ObjectReader in) {
    pod = pod.with(in);
  }

  /** Reads the current field of the pod's security context, a group of all its containers. */
  void group(ObjectReader in) {
    groups = groups.isEmpty() ? new ArrayList<>(2) : groups;
    groups.add(in.integer());
  }

  /** Reads the current field of the current container's security context. */
  void container(ObjectReader in) {
    current = current.with(in);
  }

  /** Ends the current container. */
  void ends(String container) {
    if (current != Asked.NOTHING) {
      containers = containers.isEmpty() ? new HashMap<>(2) : containers;
      containers.put(container, current);
      current = Asked.NOTHING;
    }
  }

  /** Returns the container with its user. */
  ContainerView withUser(ContainerView container) {
    Asked asked = containers.getOrDefault(container.name(), Asked.NOTHING).or(pod);
    boolean unnamed = asked.uid == null && Boolean.TRUE.equals(asked.nonRoot);
    long own = unnamed ? NONROOT : 0;
    long gid = asked.gid == null ? own : asked.gid;
    TreeSet<Long> all = new TreeSet<>(groups);
    all.add(gid);
    return container.withUser(
        new ContainerUserView(asked.uid == null ? own : asked.uid, gid, List.copyOf(all)));
  }
}
