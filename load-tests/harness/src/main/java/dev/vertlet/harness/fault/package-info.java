/**
 * Reverse proxy for an API server that injects faults on command and counts requests.
 *
 * <p>Owns two listeners on 127.0.0.1, one behind the other. Clients connect to the {@code TcpGate},
 * which cuts, refuses and freezes connections as a network would. Behind it, the {@code HttpRelay}
 * terminates TLS and delays requests, answers them with errors, leaves them unanswered or drops
 * their answers. The package uses no event bus. Everything runs on one event loop; faults may be
 * injected and counters read from any thread. Not promised: speed. The proxy is for faults, not for
 * load.
 */
@NullMarked
package dev.vertlet.harness.fault;

import org.jspecify.annotations.NullMarked;
