package dev.vertlet.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the users that the containers of one pod run as. Most pods name none, and cost nothing.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/security_context.go">
 *     determineEffectiveSecurityContext, kubelet 1.36.3</a>
 */
final class UserReader {
  /** User and group for a pod with runAsNonRoot that names no user. */
  private static final long NONROOT = 65_532;

  private Asked pod = Asked.NOTHING;
  private Asked current = Asked.NOTHING;
  private List<Long> groups = List.of();
  private Map<String, Asked> containers = Map.of();

  /** What one security context says; null for nothing. */
  private record Asked(@Nullable Long uid, @Nullable Long gid, @Nullable Boolean nonRoot) {
    static final Asked NOTHING = new Asked(null, null, null);

    /**
     * With the current field, one of {@code runAsUser}, {@code runAsGroup}, {@code runAsNonRoot}.
     */
    Asked with(ObjectReader in) {
      return switch (in.field()) {
        case "runAsUser" -> new Asked(in.integer(), gid, nonRoot);
        case "runAsGroup" -> new Asked(uid, in.integer(), nonRoot);
        default -> new Asked(uid, gid, in.flag());
      };
    }

    /** With what another one says where this one says nothing. */
    Asked or(Asked other) {
      return new Asked(
          uid == null ? other.uid : uid,
          gid == null ? other.gid : gid,
          nonRoot == null ? other.nonRoot : nonRoot);
    }
  }

  /** The current field of the pod's security context, of those that {@link Asked} has. */
  void pod(ObjectReader in) {
    pod = pod.with(in);
  }

  /** The current field of the pod's security context, a group of all its containers. */
  void group(ObjectReader in) {
    groups = groups.isEmpty() ? new ArrayList<>(2) : groups;
    groups.add(in.integer());
  }

  /** The current field of the security context of the container at hand. */
  void container(ObjectReader in) {
    current = current.with(in);
  }

  /** The container at hand has been read. */
  void ends(String container) {
    if (current != Asked.NOTHING) {
      containers = containers.isEmpty() ? new HashMap<>(2) : containers;
      containers.put(container, current);
      current = Asked.NOTHING;
    }
  }

  /** The container with its user. */
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
