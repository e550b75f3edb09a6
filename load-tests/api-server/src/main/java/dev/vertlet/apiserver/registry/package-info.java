/**
 * What the server knows about its resources: verbs on objects, defaults, validation, deletion, list
 * semantics.
 *
 * <p>Owns the {@link dev.vertlet.apiserver.store.ObjectStore}; runs on the server's event loop
 * only; every method is synchronous and either returns or throws an {@link
 * dev.vertlet.apiserver.api.ApiException}. Rules of one resource live in its {@link
 * dev.vertlet.apiserver.registry.Strategy}, everything else is generic. It does not promise full
 * validation: only the rules that clients of a node agent can run into.
 */
@NullMarked
package dev.vertlet.apiserver.registry;

import org.jspecify.annotations.NullMarked;
