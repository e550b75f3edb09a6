/** Results for build servers, as JUnit XML. */
@NullMarked
package dev.vertlet.harness.result.junit;

import org.jspecify.annotations.NullMarked;
