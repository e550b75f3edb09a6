/**
 * The resource metrics API, {@code metrics.k8s.io/v1beta1}: what nodes and pods take, as their
 * kubelets tell it. Nothing is stored and nobody is asked before somebody asks. On the server's
 * event loop.
 */
@NullMarked
package dev.vertlet.apiserver.metrics;

import org.jspecify.annotations.NullMarked;
