/**
 * Decisions of a kubelet's eviction manager: when a node is short of a resource, which of its pods
 * is evicted or which images are removed, and the messages about it.
 *
 * <p>Pure: no Vert.x, no clock. {@link dev.vertlet.eviction.EvictionState} keeps the observations
 * of one node and finds a {@link dev.vertlet.eviction.Shortage}, which ranks pods; {@link
 * dev.vertlet.eviction.LocalStorage} checks pods against their own disk limits; {@link
 * dev.vertlet.eviction.ImageState} chooses unused images. Each state is confined to one thread.
 */
@NullMarked
package dev.vertlet.eviction;

import org.jspecify.annotations.NullMarked;
