/**
 * The status page: a small model of the agent's nodes and pods, shown in a browser.
 *
 * <p>{@link dev.vertlet.page.PageVerticle} receives {@code PodStats}, {@code
 * NodeConfigStatusChanged}, {@code NodesAssigned}, {@code NodeRegistered}, {@code
 * NodeStatusChanged}, {@code NodePinged}, {@code LeaseAcquired} and {@code LeaseLost} on its own
 * context and sends nothing. {@link dev.vertlet.page.PageModel} holds the resulting state; it uses
 * no clock, and only the number of nodes decides its size. Requests come through the server of
 * health and metrics. The page is read-only. Not promised: the format of the documents below {@code
 * /page/}, which only the page uses.
 */
@NullMarked
package dev.vertlet.page;

import org.jspecify.annotations.NullMarked;
