package dev.vertlet.content;

/** Content cannot be made available now; the message is the kubelet's. */
final class ContentException extends Exception {
  ContentException(String message) {
    super(message, null, false, false);
  }
}
