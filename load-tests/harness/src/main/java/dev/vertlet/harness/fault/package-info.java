/**
 * A reverse proxy in front of an API server that misbehaves on command and keeps count of what
 * passes.
 *
 * <p>Owns two listeners on 127.0.0.1, one behind the other: the {@code TcpGate} that clients
 * connect to, where connections are cut, refused and frozen as a network would do it, and behind it
 * the {@code HttpRelay}, which ends TLS and where requests are delayed, answered falsely, left
 * hanging or robbed of their answer. It takes and sends no messages. Everything runs on one event
 * loop; faults may be injected and counters read from any thread. It does not promise speed: it is
 * for faults, not for load.
 */
@NullMarked
package dev.vertlet.harness.fault;

import org.jspecify.annotations.NullMarked;
