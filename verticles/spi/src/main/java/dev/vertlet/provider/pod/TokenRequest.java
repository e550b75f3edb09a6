package dev.vertlet.provider.pod;

import dev.vertlet.model.PodRef;

/**
 * A request for a token of a service account.
 *
 * @param serviceAccount in the namespace of the pod
 * @param pod that the token is bound to: it is invalid once the pod is gone
 * @param audience empty for the API server's own
 * @param expirationSeconds wanted life, at least 600
 */
public record TokenRequest(
    String serviceAccount, PodRef pod, String audience, long expirationSeconds) {}
