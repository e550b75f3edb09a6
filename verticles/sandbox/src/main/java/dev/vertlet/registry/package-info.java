/**
 * Resolves image names to digests with the OCI distribution API; the only package with HTTP
 * requests to registries. {@link dev.vertlet.registry.RegistryResolver} is confined to one context;
 * it uses no bus messages.
 *
 * <p>Promised: few requests, by default at most eight concurrent ones per registry; bounded bodies;
 * credentials over plain HTTP only to registries configured for it, and never to a host that a
 * registry redirects to. A silent registry causes no failure: it is asked again later.
 */
@NullMarked
package dev.vertlet.registry;

import org.jspecify.annotations.NullMarked;
