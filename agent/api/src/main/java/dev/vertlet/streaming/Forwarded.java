package dev.vertlet.streaming;

import dev.vertlet.provider.stream.Connection;
import dev.vertlet.streaming.session.InboundStream;
import dev.vertlet.streaming.session.OutboundStream;
import io.vertx.core.Future;

/** Streams of a forwarded connection. */
record Forwarded(InboundStream incoming, OutboundStream outgoing, Future<Void> gone)
    implements Connection {}
