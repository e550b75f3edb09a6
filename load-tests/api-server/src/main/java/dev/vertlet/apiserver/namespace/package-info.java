/**
 * What the controller manager does for namespaces: empties the ones that are deleted, and furnishes
 * new ones with the ServiceAccount {@code default} and the ConfigMap {@code kube-root-ca.crt}.
 *
 * <p>Controllers in the sense of {@link dev.vertlet.apiserver.control}. Objects in a terminating
 * namespace are deleted in their own way, so pods get their grace period. Not promised: the order
 * in which the real controller deletes types.
 */
@NullMarked
package dev.vertlet.apiserver.namespace;

import org.jspecify.annotations.NullMarked;
