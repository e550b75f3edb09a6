/**
 * Which test holds which row of what vertlet is held to: docs/acceptance.md, and that it is true.
 */
@NullMarked
package dev.vertlet.harness.acceptance;

import org.jspecify.annotations.NullMarked;
