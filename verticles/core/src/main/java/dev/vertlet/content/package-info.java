/**
 * What the containers of pods see: the content of volumes, with new versions of it, {@code
 * /etc/hosts}, {@code /etc/resolv.conf}, termination messages, and credentials of images. For back
 * ends that {@linkplain dev.vertlet.provider.content.PodInput ask} for it; pods of others never
 * come here.
 *
 * <p>{@link dev.vertlet.content.VolumeFiles}, {@link dev.vertlet.content.file.MountPlan}, {@link
 * dev.vertlet.content.TokenLife}, {@link dev.vertlet.content.PullSecrets} and {@link
 * dev.vertlet.content.file.HostsFile} decide, without Vert.x and without a clock. {@link
 * dev.vertlet.content.file.VersionedDirectory}, {@link dev.vertlet.content.file.VolumePaths},
 * {@link dev.vertlet.content.file.HostPaths}, {@link dev.vertlet.content.file.DiskUsage} and {@link
 * dev.vertlet.content.file.PodDirectory} work on files, and block. {@link
 * dev.vertlet.content.VolumeManager} connects both for the pods of one shard, with a {@link
 * dev.vertlet.content.PodVolumeState} for each: on the shard's loop, with its file tasks on
 * workers, those of one pod in order. Its {@link dev.vertlet.content.VolumeReconciler} makes
 * volumes before a start; {@link dev.vertlet.content.VolumeUpdates} and {@link
 * dev.vertlet.content.TokenRequests} do what follows, and know nothing of one another. {@link
 * dev.vertlet.content.ContentProvider} uses it for providers of whole pods, the kubelet core for
 * container runtimes.
 *
 * <p>Not promised: content of PersistentVolumeClaims, CSI and image volumes, and pod certificates.
 * A pod with one of them waits, with the words of a kubelet.
 *
 * <p>What changes with time is here; what works on files is in {@link dev.vertlet.content.file}.
 */
@NullMarked
package dev.vertlet.content;

import org.jspecify.annotations.NullMarked;
