/**
 * A Kubernetes API server inside the process: for tests of every module and for the demo.
 *
 * <p>{@link dev.vertlet.apiserver.EmbeddedApiServer} is the entry; its methods may be called from
 * any thread and answer with Futures that complete on the caller's context. Objects, watches,
 * controllers and the revision counter live on one event loop of their own. It shares no code with
 * the agent, since a fake must not share what it checks. {@link
 * dev.vertlet.apiserver.ControllerOptions} says which parts of a control plane run beside it;
 * {@code docs/embedded-api-server.md} lists the admin calls and the known differences from a real
 * one. {@link dev.vertlet.apiserver.LoopbackPorts} finds ports for this and other servers on
 * loopback. It does not promise field management (managedFields, server-side apply), RBAC or
 * workload controllers.
 */
@NullMarked
package dev.vertlet.apiserver;

import org.jspecify.annotations.NullMarked;
