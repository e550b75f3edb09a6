/**
 * Who may speak to the kubelet's HTTPS server: its serving certificate, the authentication of those
 * who connect, and what they are allowed.
 *
 * <p>Takes and sends no messages. {@link dev.vertlet.auth.KubeletAccess} and {@link
 * dev.vertlet.auth.ServingCertificates} are confined to the event loop that opened them; files are
 * read, and keys made, on workers. What a TLS handshake looks at is immutable and replaced as a
 * whole, so a changed file counts for the next handshake without a restart. Certificates of clients
 * are asked for and never demanded: who has none, or a bad one, may still come with a token.
 *
 * <p>Not promised: revocation lists, or that a connection ends when what admitted it changes; each
 * request is judged anew.
 */
@NullMarked
package dev.vertlet.auth;

import org.jspecify.annotations.NullMarked;
