/**
 * The vocabulary of the embedded API server: resource types, {@code metav1.Status} failures and
 * JSON helpers.
 *
 * <p>Owns no state, takes and sends no messages; everything is immutable and may be used on any
 * thread. It does not promise to model every Kubernetes type: objects stay JSON trees.
 */
@NullMarked
package dev.vertlet.apiserver.api;

import org.jspecify.annotations.NullMarked;
