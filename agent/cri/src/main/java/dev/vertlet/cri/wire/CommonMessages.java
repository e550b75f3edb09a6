package dev.vertlet.cri.wire;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages that several others contain: security contexts, resources, images. */
public final class CommonMessages {
  private CommonMessages() {}

  /** {@code Protocol} of the protocol. */
  public enum Protocol {
    TCP,
    UDP,
    SCTP
  }

  /** {@code NamespaceMode} of the protocol. */
  public enum NamespaceMode {
    POD,
    CONTAINER,
    NODE,
    TARGET
  }

  /** {@code SupplementalGroupsPolicy} of the protocol. */
  public enum SupplementalGroupsPolicy {
    Merge,
    Strict
  }

  /** {@code ProfileType} of the protocol. */
  public enum ProfileType {
    RuntimeDefault,
    Unconfined,
    Localhost
  }

  /** {@code Int64Value} of the protocol. */
  public record Int64Value(@Field(1) long value) {}

  /** {@code UInt64Value} of the protocol. */
  public record UInt64Value(@Field(value = 1, type = "uint64") long value) {}

  /** {@code NamespaceOption} of the protocol. */
  public record NamespaceOption(
      @Field(1) NamespaceMode network,
      @Field(2) NamespaceMode pid,
      @Field(3) NamespaceMode ipc,
      @Field(4) String targetId,
      @Field(5) @Nullable UserNamespace usernsOptions) {}

  /** {@code UserNamespace} of the protocol. */
  public record UserNamespace(
      @Field(1) NamespaceMode mode,
      @Field(2) List<IDMapping> uids,
      @Field(3) List<IDMapping> gids) {}

  /** {@code IDMapping} of the protocol. */
  public record IDMapping(
      @Field(value = 1, type = "uint32") int hostId,
      @Field(value = 2, type = "uint32") int containerId,
      @Field(value = 3, type = "uint32") int length) {}

  /** {@code SELinuxOption} of the protocol. */
  public record SELinuxOption(
      @Field(1) String user,
      @Field(2) String role,
      @Field(3) String type,
      @Field(4) String level) {}

  /** {@code SecurityProfile} of the protocol. */
  public record SecurityProfile(@Field(1) ProfileType profileType, @Field(2) String localhostRef) {}

  /** {@code LinuxContainerResources} of the protocol. */
  public record LinuxContainerResources(
      @Field(1) long cpuPeriod,
      @Field(2) long cpuQuota,
      @Field(3) long cpuShares,
      @Field(4) long memoryLimitInBytes,
      @Field(5) long oomScoreAdj,
      @Field(6) String cpusetCpus,
      @Field(7) String cpusetMems,
      @Field(8) List<HugepageLimit> hugepageLimits,
      @Field(9) Map<String, String> unified,
      @Field(10) long memorySwapLimitInBytes) {}

  /** {@code HugepageLimit} of the protocol. */
  public record HugepageLimit(
      @Field(1) String pageSize, @Field(value = 2, type = "uint64") long limit) {}

  /** {@code ImageSpec} of the protocol. */
  public record ImageSpec(
      @Field(1) String image,
      @Field(2) Map<String, String> annotations,
      @Field(18) String userSpecifiedImage,
      @Field(19) String runtimeHandler,
      @Field(20) String imageRef) {}

  /** {@code KeyValue} of the protocol. */
  public record KeyValue(@Field(1) String key, @Field(2) Buffer value) {
    /** Leaves out the value, which may be secret. */
    @Override
    public String toString() {
      return key;
    }
  }
}
