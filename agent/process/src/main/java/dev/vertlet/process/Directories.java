package dev.vertlet.process;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the runtime keeps what it knows. Every method blocks, and fails with an {@link
 * IOException}.
 *
 * <p>{@code PODS/UID/process/pod.json} is a pod, {@code PODS/UID/process/CONTAINER/ATTEMPT/} an
 * instance of one of its containers, where the shim keeps its state, its end and its log.
 *
 * @param pods the directory of all pods
 */
record Directories(Path pods) {
  private static final String OWN = "process";

  Path pod(String uid) {
    return pods.resolve(uid).resolve(OWN);
  }

  Path container(String uid, String name, int attempt) {
    return pod(uid).resolve(name).resolve(Integer.toString(attempt));
  }

  /** Directories of all pods of this runtime. */
  List<Path> allPods() throws IOException {
    List<Path> own = new ArrayList<>();
    for (Path pod : children(pods)) {
      if (Files.exists(pod.resolve(OWN).resolve(StoredPod.FILE))) {
        own.add(pod.resolve(OWN));
      }
    }
    return own;
  }

  /** Directories of all instances of a pod's containers. */
  static List<Path> instances(Path pod) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path container : children(pod)) {
      for (Path instance : children(container)) {
        if (Files.exists(instance.resolve(StoredContainer.FILE))) {
          all.add(instance);
        }
      }
    }
    return all;
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      found.forEach(all::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    return all;
  }

  /** Creates a directory that only its owner may read. */
  static void create(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
  }

  /** Replaces a file; of several writers at a time one wins. */
  static void write(Path file, String text) throws IOException {
    Path part = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".new");
    try {
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  static void write(Path file, JsonObject json) throws IOException {
    write(file, json.encode());
  }

  static @Nullable JsonObject read(Path file) throws IOException {
    try {
      return new JsonObject(Files.readString(file));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Deletes a directory with its content; succeeds when there is none. */
  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path left, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(left);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
