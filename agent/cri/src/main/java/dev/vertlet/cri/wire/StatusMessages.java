package dev.vertlet.cri.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages about the runtime itself. */
public final class StatusMessages {
  private StatusMessages() {}

  /** {@code CgroupDriver} of the protocol. */
  public enum CgroupDriver {
    SYSTEMD,
    CGROUPFS
  }

  /** {@code VersionRequest} of the protocol. */
  public record VersionRequest(@Field(1) String version) {}

  /** {@code VersionResponse} of the protocol. */
  public record VersionResponse(
      @Field(1) String version,
      @Field(2) String runtimeName,
      @Field(3) String runtimeVersion,
      @Field(4) String runtimeApiVersion) {}

  /** {@code RuntimeCondition} of the protocol. */
  public record RuntimeCondition(
      @Field(1) String type,
      @Field(2) boolean status,
      @Field(3) String reason,
      @Field(4) String message) {}

  /** {@code RuntimeStatus} of the protocol. */
  public record RuntimeStatus(@Field(1) List<RuntimeCondition> conditions) {}

  /** {@code StatusRequest} of the protocol. */
  public record StatusRequest(@Field(1) boolean verbose) {}

  /** {@code RuntimeHandlerFeatures} of the protocol. */
  public record RuntimeHandlerFeatures(
      @Field(1) boolean recursiveReadOnlyMounts, @Field(2) boolean userNamespaces) {}

  /** {@code RuntimeHandler} of the protocol. */
  public record RuntimeHandler(
      @Field(1) String name, @Field(2) @Nullable RuntimeHandlerFeatures features) {}

  /** {@code RuntimeFeatures} of the protocol. */
  public record RuntimeFeatures(
      @Field(1) boolean supplementalGroupsPolicy, @Field(2) boolean userNamespacesHostNetwork) {}

  /** {@code StatusResponse} of the protocol. */
  public record StatusResponse(
      @Field(1) @Nullable RuntimeStatus status,
      @Field(2) Map<String, String> info,
      @Field(3) List<RuntimeHandler> runtimeHandlers,
      @Field(4) @Nullable RuntimeFeatures features) {}

  /** {@code RuntimeConfigRequest} of the protocol. */
  public record RuntimeConfigRequest() {}

  /** {@code LinuxRuntimeConfiguration} of the protocol. */
  public record LinuxRuntimeConfiguration(@Field(1) CgroupDriver cgroupDriver) {}

  /** {@code RuntimeConfigResponse} of the protocol. */
  public record RuntimeConfigResponse(@Field(1) @Nullable LinuxRuntimeConfiguration linux) {}
}
