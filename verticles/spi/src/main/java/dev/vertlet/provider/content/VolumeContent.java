package dev.vertlet.provider.content;

import java.util.List;

/**
 * The files of one version of a volume.
 *
 * @param volume its name
 * @param kind {@code configMap}, {@code secret}, {@code downwardAPI} or {@code projected}
 * @param files sorted by path, each path once; all of them, so that a file that is missing is gone
 */
public record VolumeContent(String volume, String kind, List<ContentFile> files) {
  public VolumeContent {
    files = List.copyOf(files);
  }
}
