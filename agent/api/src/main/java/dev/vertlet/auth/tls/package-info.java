/**
 * TLS of a node's HTTPS servers: serving certificates from files, self-signed or requested from the
 * cluster, with their rotation; versions, cipher suites and client certificates. {@link
 * dev.vertlet.auth.tls.ServingCertificates} is confined to the event loop that opened it; keys are
 * created on workers.
 */
@NullMarked
package dev.vertlet.auth.tls;

import org.jspecify.annotations.NullMarked;
