/**
 * What the text of a ConfigMap makes of a node's configuration: decoding, laying flags on top,
 * checking, and what of it differs from what runs.
 *
 * <p>Pure: no event loop, clock or file. {@link dev.vertlet.payload.PayloadReader} decodes as a
 * kubelet does, {@link dev.vertlet.kubeletconfig.KubeletFields} says what each field of a
 * KubeletConfiguration means here, and {@link dev.vertlet.payload.NodeConfigs} answers what a node
 * runs by.
 */
@NullMarked
package dev.vertlet.payload;

import org.jspecify.annotations.NullMarked;
