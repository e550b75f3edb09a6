package dev.vertlet.cri;

import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.ImageMessages.AuthConfig;
import dev.vertlet.cri.wire.ImageMessages.Image;
import dev.vertlet.cri.wire.ImageMessages.ImageStatusRequest;
import dev.vertlet.cri.wire.ImageMessages.ListImagesRequest;
import dev.vertlet.cri.wire.ImageMessages.PullImageRequest;
import dev.vertlet.cri.wire.ImageMessages.RemoveImageRequest;
import dev.vertlet.cri.wire.ImageService;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks for, pulls, lists and removes images. */
final class CriImages {
  private final ImageService images;

  CriImages(ImageService images) {
    this.images = images;
  }

  private static ImageSpec spec(String image, String named) {
    return new ImageSpec(image, Map.of(), named, "", "");
  }

  private Future<@Nullable Image> find(String image) {
    return images
        .imageStatus(new ImageStatusRequest(spec(image, ""), false))
        .map(answer -> answer.image());
  }

  /** Returns the id of an image; empty if the node does not have it. */
  Future<Optional<String>> id(String image) {
    return find(image).map(found -> Optional.ofNullable(found).map(Image::id));
  }

  /** Size of an image in bytes; 0 if it is not known. */
  Future<Long> size(String id) {
    return find(id).map(found -> found == null ? 0L : found.size());
  }

  /**
   * Pulls an image.
   *
   * @param credential null for none
   * @param sandbox of the pod that needs it; null for none
   * @return its id; fails with a {@link ProviderException} that has a kubelet's reason
   */
  Future<String> pull(
      String image, @Nullable RegistryCredential credential, @Nullable PodSandboxConfig sandbox) {
    // no address: the credential was chosen for this image, and for its registry alone
    AuthConfig auth =
        credential == null
            ? null
            : new AuthConfig(credential.username(), credential.password(), "", "", "", "");
    return images
        .pullImage(new PullImageRequest(spec(image, image), auth, sandbox))
        .compose(
            pulled ->
                pulled.imageRef().isEmpty()
                    ? Future.failedFuture(
                        new GrpcException(
                            GrpcStatus.INTERNAL, "imageRef of image \"" + image + "\" is not set"))
                    // some runtimes answer with the name and digest instead of the id
                    : id(pulled.imageRef()).map(id -> id.orElse(pulled.imageRef())))
        .recover(failure -> Future.failedFuture(pullFailure(image, failure)));
  }

  private static ProviderException pullFailure(String image, Throwable failure) {
    String said = GrpcException.description(failure);
    if (said.startsWith("RegistryUnavailable")) {
      return new ProviderException(
          Kind.TEMPORARY,
          "RegistryUnavailable",
          "image pull failed for %s because the registry is unavailable%s"
              .formatted(image, said.substring("RegistryUnavailable".length())));
    }
    if (said.startsWith("SignatureValidationFailed")) {
      return new ProviderException(
          Kind.TEMPORARY,
          "SignatureValidationFailed",
          "image pull failed for %s because the signature validation failed%s"
              .formatted(image, said.substring("SignatureValidationFailed".length())));
    }
    return new ProviderException(
        Kind.TEMPORARY, "ErrImagePull", String.valueOf(failure.getMessage()));
  }

  Future<List<ImageRecord>> list() {
    return images
        .listImages(new ListImagesRequest(null))
        .map(answer -> answer.images().stream().map(CriImages::record).toList());
  }

  private static ImageRecord record(Image image) {
    // names with digests first, as a kubelet shows them
    List<String> names = new ArrayList<>(image.repoDigests());
    names.addAll(image.repoTags());
    return new ImageRecord(image.id(), names, image.size(), image.pinned());
  }

  /** Removes an image. Succeeds when the node does not have it. */
  Future<Void> remove(String id) {
    return images
        .removeImage(new RemoveImageRequest(spec(id, "")))
        .<Void>mapEmpty()
        .recover(
            failure ->
                GrpcException.is(failure, GrpcStatus.NOT_FOUND)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }
}
