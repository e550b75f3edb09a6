/**
 * Failures of providers: the exception with its reason, the guard around each call, and the policy
 * of retries.
 */
@NullMarked
package dev.vertlet.provider.failure;

import org.jspecify.annotations.NullMarked;
