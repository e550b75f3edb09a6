/**
 * Payloads of dynamic configuration: decoding, merging with the local configuration and flags,
 * validation, and comparison with the effective configuration.
 *
 * <p>The package uses no event loop, clock or file. {@link dev.vertlet.payload.PayloadReader}
 * decodes as a kubelet does, {@link dev.vertlet.kubeletconfig.KubeletFields} defines the effect of
 * each field of a KubeletConfiguration, and {@link dev.vertlet.payload.NodeConfigs} returns the
 * effective configuration of a node.
 */
@NullMarked
package dev.vertlet.payload;

import org.jspecify.annotations.NullMarked;
