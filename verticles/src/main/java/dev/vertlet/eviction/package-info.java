/**
 * When a node is short of something, which of its pods goes, and what is said about it: the
 * decisions of a kubelet's eviction manager.
 *
 * <p>Pure: no Vert.x, no clock. {@link dev.vertlet.eviction.EvictionState} keeps what was seen of
 * one node and finds a {@link dev.vertlet.eviction.Shortage}, which ranks pods. Whoever owns a
 * state calls it on one thread.
 *
 * <p>Not done: limits of a pod's own local storage, and freeing space of a node otherwise than by
 * ending pods.
 */
@NullMarked
package dev.vertlet.eviction;

import org.jspecify.annotations.NullMarked;
