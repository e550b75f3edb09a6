/**
 * Admin calls: what tests do to the server from inside, done from outside over HTTP.
 *
 * <p>{@code POST}, {@code GET} and {@code DELETE} on {@code /_admin/faults} script, show and lift
 * {@linkplain dev.vertlet.apiserver.fault faults}. Only callers on loopback with one of the tokens
 * the server started with are heard; a server that accepts everyone accepts no admin calls. Admin
 * calls are neither logged with the requests nor hit by faults, so that a fault can always be
 * lifted. Runs on the server's event loop; keeps the faults it scripted, not those of the test.
 */
@NullMarked
package dev.vertlet.apiserver.admin;

import org.jspecify.annotations.NullMarked;
