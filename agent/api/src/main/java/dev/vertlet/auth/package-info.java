/**
 * Access to the kubelet's HTTPS server: its serving certificate, and authentication and
 * authorization of its clients.
 *
 * <p>The package uses no event bus. {@link dev.vertlet.auth.KubeletAccess} and {@link
 * dev.vertlet.auth.tls.ServingCertificates} are confined to the event loop that opened them; files
 * are read, and keys created, on workers. The state that a TLS handshake reads is immutable and
 * replaced as a whole, so a changed file applies to the next handshake without a restart. Client
 * certificates are optional: a client without a valid one may still present a token.
 *
 * <p>Not promised: revocation lists, or closing a connection when the credentials that admitted it
 * change. Each request is checked anew.
 *
 * <p>Authentication and authorization are here; TLS is in {@link dev.vertlet.auth.tls}.
 */
@NullMarked
package dev.vertlet.auth;

import org.jspecify.annotations.NullMarked;
