/**
 * The three patch forms: JSON patch, JSON merge patch, strategic merge patch.
 *
 * <p>Pure functions on JSON trees, any thread, no messages. A patch that cannot be applied throws
 * the failure the real server answers with. List merge keys are those of the Kubernetes 1.36 types
 * this server knows; other lists are replaced as a whole.
 */
@NullMarked
package dev.vertlet.apiserver.patch;

import org.jspecify.annotations.NullMarked;
