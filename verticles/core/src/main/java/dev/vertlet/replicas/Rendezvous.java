package dev.vertlet.replicas;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;

/**
 * Divides nodes among members by rendezvous hashing (Thaler and Ravishankar, 1998): the member with
 * the highest weight for a node owns it. A new member takes its share from each of the others; when
 * a member leaves, only its nodes move.
 */
final class Rendezvous {
  private static final int DIGEST_BYTES = 8;

  private Rendezvous() {}

  /**
   * Returns the owner of a node.
   *
   * @param members at least one
   */
  static String owner(String node, Collection<String> members) {
    return members.stream()
        .max(
            Comparator.<String>comparingLong(member -> weight(node, member))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow(() -> new IllegalArgumentException("no member can own " + node));
  }

  /** Digest of a set of nodes, independent of their order. */
  static String digest(Collection<String> nodes) {
    MessageDigest digest = sha256();
    nodes.stream().sorted().forEach(node -> digest.update((node + "\n").getBytes(UTF_8)));
    return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
  }

  /** Weight of a pair; the same in every agent. */
  private static long weight(String node, String member) {
    MessageDigest digest = sha256();
    digest.update(member.getBytes(UTF_8));
    digest.update((byte) 0);
    return ByteBuffer.wrap(digest.digest(node.getBytes(UTF_8))).getLong();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
