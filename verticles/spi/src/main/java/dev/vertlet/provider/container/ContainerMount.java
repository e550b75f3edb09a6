package dev.vertlet.provider.container;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory of the agent's machine that a container sees.
 *
 * @param volume its name; empty for {@code /etc/hosts}, {@code /etc/resolv.conf} and the file of
 *     the termination message
 * @param containerPath absolute path in the container
 * @param hostPath path on the agent's machine. For a {@code subPath} it has no symbolic links
 * @param readOnly whether the container may not write
 * @param recursiveReadOnly whether nested mounts are read-only, too
 * @param propagation of later mounts below the path
 * @param identity for a {@code subPath}, whose volume the pod can write: the file that was checked
 *     to be in the volume. A runtime that mounts {@code hostPath} compares it with {@link
 *     FileIdentity#of} of the mounted path and ends the container's start when they differ: the pod
 *     has swapped the path for a symbolic link. Otherwise null
 */
public record ContainerMount(
    String volume,
    String containerPath,
    Path hostPath,
    boolean readOnly,
    boolean recursiveReadOnly,
    Propagation propagation,
    @Nullable FileIdentity identity) {
  /** Propagation of mounts between node and container. */
  public enum Propagation {
    PRIVATE,
    HOST_TO_CONTAINER,
    BIDIRECTIONAL
  }
}
