package dev.vertlet.model.reference;

import java.util.Map;

/**
 * A ClusterTrustBundle.
 *
 * @param signerName empty for a bundle that belongs to no signer
 * @param trustBundle PEM blocks of certificates
 */
public record TrustBundleView(
    String name,
    String uid,
    long resourceVersion,
    String signerName,
    Map<String, String> labels,
    String trustBundle)
    implements ReferredView {
  public TrustBundleView {
    labels = Map.copyOf(labels);
  }

  @Override
  public String namespace() {
    return "";
  }
}
