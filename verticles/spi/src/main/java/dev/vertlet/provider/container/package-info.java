/**
 * The SPI for single containers: {@link dev.vertlet.provider.container.ContainerRuntime}, which the
 * kubelet core drives as a kubelet drives the CRI, and its records.
 */
@NullMarked
package dev.vertlet.provider.container;

import org.jspecify.annotations.NullMarked;
