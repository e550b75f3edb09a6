/**
 * Server-side printing: the columns and cells of {@code meta.k8s.io/v1 Table} for each resource, as
 * {@code k8s.io/kubernetes/pkg/printers/internalversion} has them.
 *
 * <p>Pure functions of a stored object and the time; no messages, any thread. Column descriptions
 * are empty: no client shows them.
 */
@NullMarked
package dev.vertlet.apiserver.table;

import org.jspecify.annotations.NullMarked;
