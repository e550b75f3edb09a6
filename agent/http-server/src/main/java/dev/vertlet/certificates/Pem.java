package dev.vertlet.certificates;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes PEM blocks. */
public final class Pem {
  public static final String CERTIFICATE = "CERTIFICATE";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private static final int LINE = 64;

  private Pem() {}

  /**
   * One PEM block.
   *
   * @param label for example {@code EC PRIVATE KEY}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Block(String label, byte[] der) {}

  /** Returns all blocks of a text; skips the text between them. */
  public static List<Block> blocks(byte[] text) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(text, ISO_8859_1));
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
    }
    return blocks;
  }

  /**
   * Returns the certificates of a text in order.
   *
   * @throws IllegalArgumentException with the reason, also when there is no certificate
   */
  public static List<X509Certificate> certificates(byte[] text) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(text)) {
      if (block.label.equals(CERTIFICATE)) {
        certificates.add(certificate(block.der));
      }
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("holds no PEM certificate");
    }
    return certificates;
  }

  private static X509Certificate certificate(byte[] der) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new IllegalArgumentException("holds a certificate that cannot be read", e);
    }
  }

  /** Returns a text of one block. */
  public static String encode(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            label, Base64.getMimeEncoder(LINE, "\n".getBytes(US_ASCII)).encodeToString(der), label);
  }
}
