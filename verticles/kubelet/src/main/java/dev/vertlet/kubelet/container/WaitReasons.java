package dev.vertlet.kubelet.container;

/** Reasons of waiting containers, as a kubelet spells them. */
public final class WaitReasons {
  public static final String CONTAINER_CREATING = "ContainerCreating";
  public static final String POD_INITIALIZING = "PodInitializing";
  public static final String CRASH_LOOP_BACK_OFF = "CrashLoopBackOff";
  public static final String ERR_IMAGE_PULL = "ErrImagePull";
  public static final String IMAGE_PULL_BACK_OFF = "ImagePullBackOff";
  public static final String ERR_IMAGE_NEVER_PULL = "ErrImageNeverPull";
  public static final String INVALID_IMAGE_NAME = "InvalidImageName";
  public static final String IMAGE_INSPECT_ERROR = "ImageInspectError";
  public static final String CREATE_CONTAINER_CONFIG_ERROR = "CreateContainerConfigError";
  public static final String POST_START_HOOK_ERROR = "PostStartHookError";
  public static final String RUN_CONTAINER_ERROR = "RunContainerError";

  private WaitReasons() {}

  /** Returns the reason for a pull error: a kubelet names two; all others are ErrImagePull. */
  public static String ofPull(String reason) {
    return reason.equals("RegistryUnavailable") || reason.equals("SignatureValidationFailed")
        ? reason
        : ERR_IMAGE_PULL;
  }
}
