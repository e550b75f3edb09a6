package dev.vertlet.apiserver.validation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates in PEM. */
final class CertificatePem {
  private static final Pattern BLOCK =
      Pattern.compile(
          "^-----BEGIN ([^\n]*?)-----[ \t\r]*\n(.*?)^-----END \\1-----[ \t\r]*$",
          Pattern.MULTILINE | Pattern.DOTALL);

  private CertificatePem() {}

  /** What keeps bytes from being certificates; empty for none, and for no bytes. */
  static String problem(byte[] bytes) {
    if (bytes.length == 0) {
      return "";
    }
    Matcher block = BLOCK.matcher(new String(bytes, ISO_8859_1));
    int blocks = 0;
    while (block.find()) {
      String problem = problem(block.group(1), block.group(2));
      if (!problem.isEmpty()) {
        return problem;
      }
      blocks++;
    }
    return blocks == 0 ? "must contain at least one CERTIFICATE PEM block" : "";
  }

  private static String problem(String type, String body) {
    if (!type.equals("CERTIFICATE")) {
      return "only CERTIFICATE PEM blocks are allowed, found " + GoText.quoted(type);
    } else if (body.indexOf(':') >= 0) {
      return "no PEM block headers are permitted";
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(body);
      boolean none =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(der))
              .isEmpty();
      return none ? "found CERTIFICATE PEM block containing 0 certificates" : "";
    } catch (CertificateException | IllegalArgumentException e) {
      return "x509: malformed certificate";
    }
  }
}
