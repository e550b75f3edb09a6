/**
 * What a run came to: plain records, and their forms for people and machines (text, JSON, JUnit
 * XML, HTML). Knows nothing of how it was measured.
 */
@NullMarked
package dev.vertlet.harness.result;

import org.jspecify.annotations.NullMarked;
