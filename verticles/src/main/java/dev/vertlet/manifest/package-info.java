/**
 * Pods that are written down in a file or behind a URL instead of in the API server: how a manifest
 * is read, completed and refused, and what a change of a source means.
 *
 * <p>Pure: bytes and the time come in, pods and differences go out. Nothing here knows an event
 * loop, a file or a URL. Behaviour and texts are those of kubelet 1.36.3, {@code
 * pkg/kubelet/config}.
 */
@NullMarked
package dev.vertlet.manifest;

import org.jspecify.annotations.NullMarked;
