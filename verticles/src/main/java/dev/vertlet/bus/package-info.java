/**
 * The messages that verticles exchange, their addresses, what some of them amount to, and the only
 * class that touches Vert.x's event bus.
 *
 * <p>Delivery is local and at most once: a message to an address nobody listens on vanishes. Every
 * feed can therefore be rebuilt from what the receiver reads itself (a relist, the next report).
 * Messages sent by one context to one address arrive in order.
 */
@NullMarked
package dev.vertlet.bus;

import org.jspecify.annotations.NullMarked;
