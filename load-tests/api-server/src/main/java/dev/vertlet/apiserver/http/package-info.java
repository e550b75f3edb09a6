/**
 * The HTTP face: paths to verbs, content negotiation, watches, discovery, authentication, faults.
 *
 * <p>Runs on the server's event loop only. Takes HTTP requests, calls the registry, answers JSON;
 * it holds no objects itself. Offered representations are plain JSON and {@code
 * PartialObjectMetadata}; protobuf and tables are not.
 */
@NullMarked
package dev.vertlet.apiserver.http;

import org.jspecify.annotations.NullMarked;
