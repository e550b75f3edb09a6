/**
 * Client of a back end: calls, event stream, lists, credentials, meters and failures. All state
 * belongs to the event loop of one shard.
 */
@NullMarked
package dev.vertlet.remote.client;

import org.jspecify.annotations.NullMarked;
