package dev.vertlet.config;

import io.vertx.core.json.JsonObject;

/** A document with flags and environment applied; its variables are not replaced. */
public final class UnderFlags {
  private final Overlay overlay;
  private final KubeletSection kubelet;

  UnderFlags(Overlay overlay, KubeletSection kubelet) {
    this.overlay = overlay;
    this.kubelet = kubelet;
  }

  public JsonObject document() {
    return overlay.document();
  }

  /**
   * Returns the flag or variable that set the value at this JSON pointer, its parent or a part of
   * it; empty for none.
   */
  public String origin(String pointer) {
    return overlay.origin(kubelet.asWritten(pointer));
  }

  Overlay overlay() {
    return overlay;
  }

  KubeletSection kubelet() {
    return kubelet;
  }
}
