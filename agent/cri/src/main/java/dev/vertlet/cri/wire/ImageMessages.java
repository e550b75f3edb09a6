package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.CommonMessages.Int64Value;
import dev.vertlet.cri.wire.CommonMessages.UInt64Value;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages about images. */
public final class ImageMessages {
  private ImageMessages() {}

  /** {@code ImageFilter} of the protocol. */
  public record ImageFilter(@Field(1) @Nullable ImageSpec image) {}

  /** {@code ListImagesRequest} of the protocol. */
  public record ListImagesRequest(@Field(1) @Nullable ImageFilter filter) {}

  /** {@code Image} of the protocol. */
  public record Image(
      @Field(1) String id,
      @Field(2) List<String> repoTags,
      @Field(3) List<String> repoDigests,
      @Field(value = 4, type = "uint64") long size,
      @Field(5) @Nullable Int64Value uid,
      @Field(6) String username,
      @Field(7) @Nullable ImageSpec spec,
      @Field(8) boolean pinned) {}

  /** {@code ListImagesResponse} of the protocol. */
  public record ListImagesResponse(@Field(1) List<Image> images) {}

  /** {@code ImageStatusRequest} of the protocol. */
  public record ImageStatusRequest(
      @Field(1) @Nullable ImageSpec image, @Field(2) boolean verbose) {}

  /** {@code ImageStatusResponse} of the protocol. */
  public record ImageStatusResponse(
      @Field(1) @Nullable Image image, @Field(2) Map<String, String> info) {}

  /** {@code AuthConfig} of the protocol. */
  public record AuthConfig(
      @Field(1) String username,
      @Field(2) String password,
      @Field(3) String auth,
      @Field(4) String serverAddress,
      @Field(5) String identityToken,
      @Field(6) String registryToken) {
    /** Leaves out passwords and tokens. */
    @Override
    public String toString() {
      return username + " at " + serverAddress;
    }
  }

  /** {@code PullImageRequest} of the protocol. */
  public record PullImageRequest(
      @Field(1) @Nullable ImageSpec image,
      @Field(2) @Nullable AuthConfig auth,
      @Field(3) @Nullable PodSandboxConfig sandboxConfig) {}

  /** {@code PullImageResponse} of the protocol. */
  public record PullImageResponse(@Field(1) String imageRef) {}

  /** {@code RemoveImageRequest} of the protocol. */
  public record RemoveImageRequest(@Field(1) @Nullable ImageSpec image) {}

  /** {@code RemoveImageResponse} of the protocol. */
  public record RemoveImageResponse() {}

  /** {@code ImageFsInfoRequest} of the protocol. */
  public record ImageFsInfoRequest() {}

  /** {@code FilesystemIdentifier} of the protocol. */
  public record FilesystemIdentifier(@Field(1) String mountpoint) {}

  /** {@code FilesystemUsage} of the protocol. */
  public record FilesystemUsage(
      @Field(1) long timestamp,
      @Field(2) @Nullable FilesystemIdentifier fsId,
      @Field(3) @Nullable UInt64Value usedBytes,
      @Field(4) @Nullable UInt64Value inodesUsed) {}

  /** {@code ImageFsInfoResponse} of the protocol. */
  public record ImageFsInfoResponse(
      @Field(1) List<FilesystemUsage> imageFilesystems,
      @Field(2) List<FilesystemUsage> containerFilesystems) {}
}
