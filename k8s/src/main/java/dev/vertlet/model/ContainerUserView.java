package dev.vertlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The user that the first process of a Linux container runs as.
 *
 * @param uid of its user
 * @param gid of its first group
 * @param supplementalGroups all groups that it belongs to, the first one as well, in ascending
 *     order
 */
public record ContainerUserView(long uid, long gid, List<Long> supplementalGroups) {
  /** Of a container of which neither its pod nor its image says anything. */
  public static final ContainerUserView ROOT = new ContainerUserView(0, 0, List.of(0L));

  public ContainerUserView {
    supplementalGroups = List.copyOf(supplementalGroups);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof ContainerUserView that
            && uid == that.uid
            && gid == that.gid
            && supplementalGroups.equals(that.supplementalGroups);
  }

  @Override
  public int hashCode() {
    int hash = Long.hashCode(uid);
    hash = 31 * hash + Long.hashCode(gid);
    return 31 * hash + supplementalGroups.hashCode();
  }
}
