/**
 * Event loops that several verticles share: deploys verticles one after another and undeploys them
 * in reverse order.
 *
 * <p>Each loop reports its lag and its liveness. Not guaranteed: that a verticle whose stop hangs
 * has left before the next one stops.
 */
@NullMarked
package dev.vertlet.eventloop;

import org.jspecify.annotations.NullMarked;
