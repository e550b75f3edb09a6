/**
 * The versioned object store: current objects, one revision counter, a bounded history per resource
 * type.
 *
 * <p>Owned by the server's event loop; takes no messages, tells subscribers of each change by a
 * direct call on that loop. Stored trees are frozen: whoever needs a change copies first. It does
 * not promise durability, and history older than the window is gone (readers get {@code 410
 * Expired}).
 */
@NullMarked
package dev.vertlet.apiserver.store;

import org.jspecify.annotations.NullMarked;
