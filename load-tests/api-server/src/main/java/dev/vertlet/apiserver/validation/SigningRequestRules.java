package dev.vertlet.apiserver.validation;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** CertificateSigningRequests, beside what is in the request itself. */
public final class SigningRequestRules {
  private static final int TEN_MINUTES = 600;
  private static final String[] USAGES = {
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping"
  };

  private SigningRequestRules() {}

  /** Checks what a new request asks for. */
  public static void created(FieldValue request) {
    FieldValue spec = request.at("spec");
    FieldValue usages = spec.at("usages");
    usages.requireAny();
    Set<String> seen = new HashSet<>();
    for (FieldValue usage : usages.items()) {
      usage.oneOf(USAGES);
      if (!seen.add(usage.text())) {
        usage.duplicate();
      }
    }
    FieldValue signer = spec.at("signerName");
    if (signer.is("kubernetes.io/legacy-unknown")) {
      signer.invalid("the legacy signerName is not allowed via this API version");
    } else {
      signer(signer);
    }
    FieldValue seconds = spec.at("expirationSeconds");
    if (seconds.isPresent() && seconds.number() < TEN_MINUTES) {
      seconds.invalid("may not specify a duration less than 600 seconds (10 minutes)");
    }
  }

  private static void signer(FieldValue signer) {
    if (signer.requireAny()) {
      return;
    }
    String[] segments = signer.text().split("/", -1);
    if (segments.length != 2) {
      signer.invalid(
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    List<String> labels = Arrays.asList(segments[0].split("\\.", -1));
    for (String label : labels) {
      Format.DNS_LABEL
          .problems(label)
          .forEach(
              problem ->
                  signer.invalid(
                      GoText.quoted(segments[0]),
                      "validating label %s: %s".formatted(GoText.quoted(label), problem)));
    }
    if (labels.size() < 2) {
      signer.invalid(
          GoText.quoted(segments[0]),
          "should be a domain with at least two segments separated by dots");
    }
    Format.DNS_SUBDOMAIN
        .problems(segments[1])
        .forEach(
            problem ->
                signer.invalid(
                    GoText.quoted(segments[1]),
                    "validating label %s: %s".formatted(GoText.quoted(segments[1]), problem)));
  }
}
