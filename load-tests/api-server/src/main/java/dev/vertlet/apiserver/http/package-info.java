/**
 * The HTTP face: paths to verbs, content negotiation, watches, discovery, authentication, faults.
 *
 * <p>Runs on the server's event loop only. Takes HTTP requests, calls the registry, answers; it
 * holds no objects itself. A {@link dev.vertlet.apiserver.http.Representation} writes objects as
 * clients ask for them: JSON or protobuf, whole or metadata alone, or JSON tables. It does not
 * promise YAML nor server-side apply; each is refused with a Status that says so. What kubelets and
 * pods answer themselves goes through {@link dev.vertlet.apiserver.http.ConnectHandler}.
 */
@NullMarked
package dev.vertlet.apiserver.http;

import org.jspecify.annotations.NullMarked;
