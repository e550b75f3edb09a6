package dev.vertlet.model.definition;

import java.util.List;

/**
 * Definition of a container with the fields that a {@link
 * dev.vertlet.model.container.ContainerView} leaves out.
 *
 * @param ports in the order of the definition
 * @param mounts in the order of the definition
 * @param devices names of raw block volumes and of claimed devices
 * @param security effective settings
 * @param workingDirectory empty for the image's
 * @param stdin whether the container keeps a standard input open
 * @param stdinOnce whether that input ends with its first client
 * @param tty whether its first process has a terminal
 * @param terminationMessagePath absolute path in the container; empty for none
 */
public record ContainerDefinition(
    String name,
    List<Port> ports,
    List<Mount> mounts,
    List<String> devices,
    ContainerSecurity security,
    String workingDirectory,
    boolean stdin,
    boolean stdinOnce,
    boolean tty,
    String terminationMessagePath) {
  /**
   * A port.
   *
   * @param name empty for none
   * @param hostPort 0 for none
   * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
   * @param hostIp empty for all addresses of the node
   */
  public record Port(
      String name, int containerPort, int hostPort, String protocol, String hostIp) {}

  /**
   * A mount as written.
   *
   * @param path in the container
   * @param recursiveReadOnly {@code Disabled}, {@code IfPossible}, {@code Enabled} or empty
   * @param subPath path in the volume; empty for the whole volume
   * @param subPathExpr the same with {@code $(X)} in it; at most one of both is set
   * @param propagation {@code None}, {@code HostToContainer}, {@code Bidirectional} or empty
   */
  public record Mount(
      String volume,
      String path,
      boolean readOnly,
      String recursiveReadOnly,
      String subPath,
      String subPathExpr,
      String propagation) {}

  public ContainerDefinition {
    ports = List.copyOf(ports);
    mounts = List.copyOf(mounts);
    devices = List.copyOf(devices);
  }
}
