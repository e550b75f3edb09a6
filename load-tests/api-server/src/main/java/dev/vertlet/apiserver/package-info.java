/**
 * A Kubernetes API server inside the process: for tests of every module and for the demo.
 *
 * <p>{@link dev.vertlet.apiserver.EmbeddedApiServer} is the entry; its methods may be called from
 * any thread and answer with Futures that complete on the caller's context. Objects, watches and
 * the revision counter live on one event loop of their own. It shares no code with the agent, since
 * a fake must not share what it checks. It does not promise durability, field management
 * (managedFields, server-side apply), protobuf, tables, OpenAPI, RBAC, garbage collection or
 * scheduling.
 */
@NullMarked
package dev.vertlet.apiserver;

import org.jspecify.annotations.NullMarked;
