/**
 * Validation of a KubeletConfiguration, with the messages of a kubelet. {@link
 * dev.vertlet.kubeletconfig.validation.KubeletRules} applies the rules, one class for each subject.
 */
@NullMarked
package dev.vertlet.kubeletconfig.validation;

import org.jspecify.annotations.NullMarked;
