package dev.vertlet.model.container;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * User of the first process of a Linux container.
 *
 * @param uid user id
 * @param gid primary group id
 * @param supplementalGroups all group ids, including the primary one, in ascending order
 */
public record ContainerUserView(long uid, long gid, List<Long> supplementalGroups) {
  /** User of a container if neither its pod nor its image sets one. */
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
