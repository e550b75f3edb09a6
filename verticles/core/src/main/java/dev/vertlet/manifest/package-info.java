/**
 * Static pods in files or at URLs: reads, completes and validates manifests, and computes the
 * effects of a changed source.
 *
 * <p>Pure: takes bytes and the time, returns pods and differences; independent of event loops,
 * files and URLs. Behaviour and messages are those of kubelet 1.36.3, {@code pkg/kubelet/config}.
 */
@NullMarked
package dev.vertlet.manifest;

import org.jspecify.annotations.NullMarked;
