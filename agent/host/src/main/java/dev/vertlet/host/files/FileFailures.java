package dev.vertlet.host.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Words for failures of files. */
public final class FileFailures {
  private FileFailures() {}

  /** Names the file and what is wrong; Java leaves the latter out where a type says it. */
  public static String message(IOException failure) {
    if (failure instanceof FileSystemException of && of.getReason() == null) {
      if (failure instanceof AccessDeniedException) {
        return of.getFile() + ": permission denied";
      }
      if (failure instanceof NoSuchFileException) {
        return of.getFile() + ": no such file or directory";
      }
    }
    return String.valueOf(failure.getMessage());
  }
}
