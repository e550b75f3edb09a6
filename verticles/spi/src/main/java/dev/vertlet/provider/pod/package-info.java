/**
 * The SPI for whole pods: {@link dev.vertlet.provider.pod.PodProvider}, the context it gets, and
 * helpers for statuses and for back ends that are polled.
 */
@NullMarked
package dev.vertlet.provider.pod;

import org.jspecify.annotations.NullMarked;
