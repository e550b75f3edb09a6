/**
 * What nodes and pods use, as kubelets tell it: {@code /stats/summary}, {@code /metrics/resource},
 * {@code /metrics/cadvisor} and {@code /metrics/probes}.
 *
 * <p>Pure: documents are made of what a provider measured and of the pods it measured it of, on any
 * thread; nothing is kept, sent or served here. What is not measured is left out of a document. Not
 * promised: what only a kernel could say, such as throttled periods or the state of tasks.
 */
@NullMarked
package dev.vertlet.stats;

import org.jspecify.annotations.NullMarked;
