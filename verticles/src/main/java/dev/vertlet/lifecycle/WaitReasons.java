package dev.vertlet.lifecycle;

/** Reasons a container shows while it waits, as the kubelet spells them. */
final class WaitReasons {
  static final String CONTAINER_CREATING = "ContainerCreating";
  static final String POD_INITIALIZING = "PodInitializing";
  static final String CRASH_LOOP_BACK_OFF = "CrashLoopBackOff";
  static final String ERR_IMAGE_PULL = "ErrImagePull";
  static final String IMAGE_PULL_BACK_OFF = "ImagePullBackOff";
  static final String ERR_IMAGE_NEVER_PULL = "ErrImageNeverPull";
  static final String INVALID_IMAGE_NAME = "InvalidImageName";
  static final String IMAGE_INSPECT_ERROR = "ImageInspectError";
  static final String CREATE_CONTAINER_CONFIG_ERROR = "CreateContainerConfigError";
  static final String POST_START_HOOK_ERROR = "PostStartHookError";
  static final String RUN_CONTAINER_ERROR = "RunContainerError";

  private WaitReasons() {}

  /** A kubelet knows two pull errors by name; all others are ErrImagePull. */
  static String ofPull(String reason) {
    return reason.equals("RegistryUnavailable") || reason.equals("SignatureValidationFailed")
        ? reason
        : ERR_IMAGE_PULL;
  }
}
