package dev.vertlet.kubelet.pod;

import dev.vertlet.model.container.HandlerView;
import org.jspecify.annotations.Nullable;

/** Measured calls of a runtime, under a kubelet's operation names. */
public enum RuntimeOperation {
  STATUS("status"),
  START_CONTAINER("start_container"),
  STOP_CONTAINER("stop_container"),
  REMOVE_CONTAINER("remove_container"),
  UPDATE_CONTAINER("update_container"),
  EXEC_SYNC("exec_sync"),
  RUN_SANDBOX("run_podsandbox"),
  REMOVE_SANDBOX("remove_podsandbox"),
  SANDBOX_STATUS("podsandbox_status"),
  LIST_SANDBOXES("list_podsandbox"),
  SANDBOX_STATS("list_podsandbox_stats"),
  LIST_IMAGES("list_images"),
  IMAGE_STATUS("image_status"),
  PULL_IMAGE("pull_image"),
  REMOVE_IMAGE("remove_image");

  private final String type;

  RuntimeOperation(String type) {
    this.type = type;
  }

  /** The label {@code operation_type} of its metrics. */
  public String type() {
    return type;
  }

  /** Returns the operation of a probe or hook; null for those that a kubelet performs itself. */
  public static @Nullable RuntimeOperation of(HandlerView handler) {
    return handler instanceof HandlerView.Exec ? EXEC_SYNC : null;
  }
}
