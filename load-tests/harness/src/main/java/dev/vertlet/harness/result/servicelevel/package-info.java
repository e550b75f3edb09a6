/**
 * Kubernetes' service levels, what they were judged by, and the record of a control plane: values
 * and decisions, without any reading.
 */
@NullMarked
package dev.vertlet.harness.result.servicelevel;

import org.jspecify.annotations.NullMarked;
