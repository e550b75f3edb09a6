/**
 * Messages between verticles, their addresses, the state derived from some of them, and the only
 * class that uses Vert.x's event bus.
 *
 * <p>Delivery is local and at most once: a message to an address without a receiver is lost. Every
 * receiver can therefore rebuild its state from what it reads itself (a relist, the next report).
 * Messages sent by one context to one address arrive in order; those of one turn to a {@code
 * BatchAddress} arrive together if its receiver is on that context.
 */
@NullMarked
package dev.vertlet.bus;

import org.jspecify.annotations.NullMarked;
