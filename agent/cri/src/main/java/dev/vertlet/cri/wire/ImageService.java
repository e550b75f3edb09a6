package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoRequest;
import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoResponse;
import dev.vertlet.cri.wire.ImageMessages.ImageStatusRequest;
import dev.vertlet.cri.wire.ImageMessages.ImageStatusResponse;
import dev.vertlet.cri.wire.ImageMessages.ListImagesRequest;
import dev.vertlet.cri.wire.ImageMessages.ListImagesResponse;
import dev.vertlet.cri.wire.ImageMessages.PullImageRequest;
import dev.vertlet.cri.wire.ImageMessages.PullImageResponse;
import dev.vertlet.cri.wire.ImageMessages.RemoveImageRequest;
import dev.vertlet.cri.wire.ImageMessages.RemoveImageResponse;
import io.vertx.core.Future;
import java.time.Duration;

/** Calls about images. Every Future fails with a {@link GrpcException}. */
public final class ImageService {
  private static final Duration USUAL = RuntimeService.USUAL;

  private static final Rpc<ListImagesRequest, ListImagesResponse> LIST_IMAGES =
      method("ListImages", ListImagesResponse.class);
  private static final Rpc<ImageStatusRequest, ImageStatusResponse> IMAGE_STATUS =
      method("ImageStatus", ImageStatusResponse.class);
  private static final Rpc<PullImageRequest, PullImageResponse> PULL_IMAGE =
      method("PullImage", PullImageResponse.class);
  private static final Rpc<RemoveImageRequest, RemoveImageResponse> REMOVE_IMAGE =
      method("RemoveImage", RemoveImageResponse.class);
  private static final Rpc<ImageFsInfoRequest, ImageFsInfoResponse> IMAGE_FS_INFO =
      method("ImageFsInfo", ImageFsInfoResponse.class);

  private final GrpcChannel calls;
  private final GrpcChannel pulls;

  /**
   * @param calls for calls with a deadline
   * @param pulls for pulls
   */
  public ImageService(GrpcChannel calls, GrpcChannel pulls) {
    this.calls = calls;
    this.pulls = pulls;
  }

  private static <Q extends Record, A extends Record> Rpc<Q, A> method(
      String name, Class<A> answer) {
    return new Rpc<>("/runtime.v1.ImageService/" + name, answer);
  }

  public Future<ListImagesResponse> listImages(ListImagesRequest request) {
    return LIST_IMAGES.call(calls, request, USUAL);
  }

  public Future<ImageStatusResponse> imageStatus(ImageStatusRequest request) {
    return IMAGE_STATUS.call(calls, request, USUAL);
  }

  /** Pulls an image, for as long as the runtime makes progress by its own rules. */
  public Future<PullImageResponse> pullImage(PullImageRequest request) {
    return PULL_IMAGE.call(pulls, request, GrpcChannel.NO_DEADLINE);
  }

  public Future<RemoveImageResponse> removeImage(RemoveImageRequest request) {
    return REMOVE_IMAGE.call(calls, request, USUAL);
  }

  public Future<ImageFsInfoResponse> imageFsInfo(ImageFsInfoRequest request) {
    return IMAGE_FS_INFO.call(calls, request, USUAL);
  }
}
