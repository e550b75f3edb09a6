/**
 * Event loops that several verticles share: deploys verticles one after another and undeploys them
 * in reverse order.
 *
 * <p>Each loop reports its lag and its liveness. Not guaranteed: that a verticle which hangs on its
 * way out has left before the next one is asked to.
 */
@NullMarked
package dev.vertlet.eventloop;

import org.jspecify.annotations.NullMarked;
