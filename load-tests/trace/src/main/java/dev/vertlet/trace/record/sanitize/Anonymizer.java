package dev.vertlet.trace.record.sanitize;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces names by others, equal ones by equal ones: a label and the selector for it, a node and
 * its label {@code kubernetes.io/hostname} still match. Confined to one thread.
 */
public interface Anonymizer {
  /** Keeps everything. */
  Anonymizer NONE = text -> text;

  /** Returns another name for a name, an image or the value of a label. */
  String name(String text);

  /** Returns another key for the key of a label, an annotation or a taint. */
  default String key(String text) {
    return text;
  }

  /**
   * Replaces names by their keyed hashes.
   *
   * @param salt secret of one file, 16 bytes or more: names can be tried out only with it
   */
  static Anonymizer salted(byte[] salt) {
    return new Salted(salt);
  }

  /** Keyed hashes as names that Kubernetes allows everywhere: 14 letters and digits. */
  final class Salted implements Anonymizer {
    /** 64 bits: two of a million names are equal with a probability of 1 in 10^7. */
    private static final int HASH_BYTES = 8;

    private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

    /** Names of every cluster, which tell nothing of this one. */
    private static final Set<String> COMMON =
        Set.of(
            "",
            "true",
            "false",
            "default",
            "kube-system",
            "kube-public",
            "kube-node-lease",
            "default-scheduler",
            "system-node-critical",
            "system-cluster-critical",
            "linux",
            "windows",
            "amd64",
            "arm64");

    private static final int MAX_NUMBER = 9;

    private final Mac mac;

    private Salted(byte[] salt) {
      try {
        mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(salt, "HmacSHA256"));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every Java has HmacSHA256", e);
      }
    }

    /** Keeps numbers, which affinities compare, and names that every cluster has. */
    @Override
    public String name(String text) {
      return COMMON.contains(text) || isNumber(text) ? text : hash(text);
    }

    /** Keeps keys of Kubernetes' own domains, whose meaning schedulers know. */
    @Override
    public String key(String text) {
      int slash = text.indexOf('/');
      String domain = slash < 0 ? "" : text.substring(0, slash);
      return isKubernetes(domain, "kubernetes.io") || isKubernetes(domain, "k8s.io")
          ? text
          : hash(text);
    }

    private static boolean isKubernetes(String domain, String suffix) {
      return domain.equals(suffix) || domain.endsWith("." + suffix);
    }

    private static boolean isNumber(String text) {
      return text.length() <= MAX_NUMBER && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private String hash(String text) {
      byte[] full = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      StringBuilder name = new StringBuilder("x");
      long bits = 0;
      for (int i = 0; i < HASH_BYTES; i++) {
        bits = bits << 8 | full[i] & 0xff;
      }
      for (int i = 0; i < 13; i++) {
        name.append(DIGITS.charAt((int) (bits & 31)));
        bits >>>= 5;
      }
      return name.toString();
    }
  }
}
