package dev.vertlet.cri.container;

import java.nio.file.Path;

/**
 * What the configurations of containers need of this host.
 *
 * @param memory of the host in bytes; 0 if it is unknown
 * @param seccompDirectory where local seccomp profiles are
 * @param seccompDefault whether containers without a profile get the runtime's
 */
public record HostSettings(long memory, Path seccompDirectory, boolean seccompDefault) {}
