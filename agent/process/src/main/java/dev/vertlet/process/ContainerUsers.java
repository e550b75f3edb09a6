package dev.vertlet.process;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.definition.ContainerSecurity;
import dev.vertlet.model.definition.PodSecurity;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.failure.ProviderException;
import java.util.List;
import java.util.TreeSet;

/**
 * Decides as which user a container runs.
 *
 * @param own user of the agent
 */
record ContainerUsers(ProcessOptions options, long own, long ownGroup) {
  private static final String REASON = "CreateContainerConfigError";

  /**
   * Returns the user of a container whose definition is known.
   *
   * @throws ProviderException for a user that is not allowed here
   */
  ContainerUserView of(ContainerStart start) {
    ContainerSecurity security = start.definition().security();
    PodSecurity pod = start.pod().security();
    TreeSet<Long> groups = new TreeSet<>(pod.supplementalGroups());
    if (pod.fsGroup() != null) {
      groups.add(pod.fsGroup());
    }
    Long user = security.runAsUser();
    Long group = security.runAsGroup();
    long uid = user != null ? user : byDefault();
    long gid = group != null ? group : user != null ? groupOf(uid) : defaultGroup();
    if (uid == 0 && Boolean.TRUE.equals(security.runAsNonRoot())) {
      throw refuse(
          "container has runAsNonRoot and image will run as root (pod: \"%s\", container: %s)"
              .formatted(describe(start.view()), start.container().name()));
    }
    groups.add(gid);
    return allowed(uid, gid, groups);
  }

  /**
   * Returns the user of a container whose definition is unknown.
   *
   * @throws ProviderException for a user that is not allowed here
   */
  ContainerUserView byView(ContainerUserView wanted) {
    if (!wanted.equals(ContainerUserView.ROOT)) {
      return allowed(wanted.uid(), wanted.gid(), new TreeSet<>(wanted.supplementalGroups()));
    }
    return allowed(byDefault(), defaultGroup(), new TreeSet<>(List.of(defaultGroup())));
  }

  private long byDefault() {
    Long user = options.user();
    return user == null ? own : user;
  }

  private long defaultGroup() {
    Long group = options.group();
    return group != null ? group : groupOf(byDefault());
  }

  private long groupOf(long uid) {
    return uid == own ? ownGroup : uid;
  }

  private ContainerUserView allowed(long uid, long gid, TreeSet<Long> groups) {
    if (uid == 0 && !options.allowRoot()) {
      throw refuse("the container would run as root, which the provider process is not allowed");
    }
    if (own != 0 && (uid != own || gid != ownGroup)) {
      throw refuse(
          "the container wants user %d, group %d, and the agent, which is not root, has user %d, group %d"
              .formatted(uid, gid, own, ownGroup));
    }
    return new ContainerUserView(uid, gid, List.copyOf(groups));
  }

  private static String describe(PodView pod) {
    return pod.name() + "_" + pod.namespace() + "(" + pod.uid() + ")";
  }

  private static ProviderException refuse(String message) {
    return new ProviderException(ProviderException.Kind.TEMPORARY, REASON, message);
  }
}
