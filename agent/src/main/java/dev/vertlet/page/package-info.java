/**
 * The page for people: what an agent knows of its nodes and pods, kept small, and shown in a
 * browser while somebody looks.
 *
 * <p>{@link dev.vertlet.page.PageVerticle} takes {@code PodsTold}, {@code NodeConfigStood}, {@code
 * NodesAssigned}, {@code NodeRegistered}, {@code NodeStatusChanged}, {@code NodePinged}, {@code
 * LeaseAcquired} and {@code LeaseLost} on its own context and sends nothing; {@link
 * dev.vertlet.page.PageModel} is what they amount to, pure and of a size that only the number of
 * nodes decides. Requests come through the server of health and metrics. Everything is read-only.
 * Not promised: what the documents of {@code /page/…} look like, which are the page's own.
 */
@NullMarked
package dev.vertlet.page;

import org.jspecify.annotations.NullMarked;
