package dev.vertlet.streaming;

import dev.vertlet.provider.Connection;
import io.vertx.core.Future;

/** A forwarded connection's streams. */
record Forwarded(Inlet incoming, Outlet outgoing, Future<Void> gone) implements Connection {}
