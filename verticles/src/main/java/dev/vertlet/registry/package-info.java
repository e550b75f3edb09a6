/**
 * Asks registries of images what a name stands for, by the distribution API of the OCI: an adapter,
 * the one place that talks HTTP with registries. {@link dev.vertlet.registry.RegistryResolver} is
 * confined to one context; it takes and sends no messages.
 *
 * <p>Promised: few questions, and never more than eight at once to one registry; a bounded body; no
 * credentials over plain HTTP but to registries that are named for it, nor to a host that a
 * registry redirects to. A registry that does not answer makes nothing fail: it is asked again
 * later.
 */
@NullMarked
package dev.vertlet.registry;

import org.jspecify.annotations.NullMarked;
