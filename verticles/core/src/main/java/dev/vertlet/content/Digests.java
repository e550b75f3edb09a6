package dev.vertlet.content;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.VolumeContent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Digests of contents: enough to see a change, without keeping secrets. */
final class Digests {
  private Digests() {}

  static String of(VolumeContent content) {
    MessageDigest digest = sha256();
    for (ContentFile file : content.files()) {
      String head = file.path() + '\0' + file.mode() + '\0' + file.bytes().length() + '\0';
      digest.update(head.getBytes(UTF_8));
      digest.update(file.bytes().getBytes());
    }
    return Base64.getEncoder().encodeToString(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
