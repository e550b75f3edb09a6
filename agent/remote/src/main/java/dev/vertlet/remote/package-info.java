/**
 * Provider {@code remote}: pods and containers of a back end in any language, over HTTP. The
 * contract is {@code docs/openapi/remote-v1.yaml}.
 *
 * <p>{@link dev.vertlet.remote.PodBook} decides, without a clock and without I/O: which states are
 * reported, which pods are lost, which are created again. {@link
 * dev.vertlet.remote.client.Subscription} follows the back end, {@link
 * dev.vertlet.remote.client.BackendClient} makes calls. All state belongs to the event loop of one
 * shard; each shard has connections of its own.
 *
 * <p>Requests carry secrets: environments, and content of volumes. No request body, no query and no
 * header is ever logged or put into a failure's message; of an answer only its {@code reason} and
 * {@code message}.
 *
 * <p>Pods and containers are here, above {@link dev.vertlet.remote.client} and {@link
 * dev.vertlet.remote.stream}.
 */
@NullMarked
package dev.vertlet.remote;

import org.jspecify.annotations.NullMarked;
