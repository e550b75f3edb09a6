/** Results as JUnit XML for build servers. */
@NullMarked
package dev.vertlet.harness.result.junit;

import org.jspecify.annotations.NullMarked;
