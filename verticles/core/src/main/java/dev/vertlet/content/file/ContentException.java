package dev.vertlet.content.file;

/** Content cannot be made available now; the message is the kubelet's. */
public final class ContentException extends Exception {
  public ContentException(String message) {
    super(message, null, false, false);
  }
}
