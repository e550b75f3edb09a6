package dev.vertlet.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.vertlet.model.reference.TrustBundleView;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The certificates of ClusterTrustBundles as one file: each once, without what stands between them,
 * in one order. A kubelet's order changes with its restarts; this one is that of the bytes, so that
 * a file that says the same is the same.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/clustertrustbundle/clustertrustbundle_manager.go">
 *     normalizeTrustAnchors, kubelet 1.36.3</a>
 */
final class TrustAnchors {
  private static final Pattern BLOCK =
      Pattern.compile(
          "^-----BEGIN ([^\\n]*)-----[ \\t\\r]*\\n(.*?)^-----END \\1-----",
          Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern HEADER = Pattern.compile("^[^\\n:]*:[^\\n]*$", Pattern.MULTILINE);
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** Characters of a line of PEM. */
  private static final int LINE = 64;

  private TrustAnchors() {}

  /** Returns the certificates of bundles as PEM. */
  static Buffer of(List<TrustBundleView> bundles) {
    Set<byte[]> certificates = new TreeSet<>(Arrays::compareUnsigned);
    for (TrustBundleView bundle : bundles) {
      for (Matcher block = BLOCK.matcher(bundle.trustBundle()); block.find(); ) {
        decode(block.group(2), certificates);
      }
    }
    Base64.Encoder encoder = Base64.getMimeEncoder(LINE, "\n".getBytes(ISO_8859_1));
    Buffer pem = Buffer.buffer();
    for (byte[] certificate : certificates) {
      pem.appendString("-----BEGIN CERTIFICATE-----\n")
          .appendBytes(encoder.encode(certificate))
          .appendString("\n-----END CERTIFICATE-----\n");
    }
    return pem;
  }

  /** Adds the bytes of a block; one that is not base64 is skipped, as Go's decoder does. */
  private static void decode(String body, Set<byte[]> certificates) {
    String text = SPACE.matcher(HEADER.matcher(body).replaceAll("")).replaceAll("");
    try {
      certificates.add(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException notBase64) {
      // the API server does not accept such a bundle
    }
  }
}
