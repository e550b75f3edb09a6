package dev.vertlet.streaming;

import dev.vertlet.provider.Connection;
import io.vertx.core.Future;

/** Streams of a forwarded connection. */
record Forwarded(Inlet incoming, Outlet outgoing, Future<Void> gone) implements Connection {}
