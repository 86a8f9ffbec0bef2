package wavewright.yarn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

/** Signed documents of targets in a folder, as the daemon writes them. */
final class Documents {
  static final byte[] KEY = "a secret of enough bytes".getBytes(StandardCharsets.UTF_8);

  final Path folder;
  final Path targets;
  final Path key;

  Documents() throws IOException {
    folder = Files.createTempDirectory("targets");
    targets = folder.resolve("targets");
    key = folder.resolve("key");
    for (Path each : new Path[] {folder, targets, key, folder.resolve("beside")}) {
      each.toFile().deleteOnExit();  // the last first
    }
    Files.write(key, KEY);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  Map<String, String> settings(String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("targets", targets.toUri().toString());
    settings.put("key-file", key.toString());
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  static String json(long generation, long issuedMs, String... entries) {
    return "{\"schema\":\"wavewright/targets/1\",\"generation\":" + generation + ",\"issued_ms\":" + issuedMs
        + ",\"applications\":[" + String.join(",", entries).replace('\'', '"') + "]}";
  }

  static byte[] signed(String json) {
    return signed(json, KEY);
  }

  static byte[] signed(String json, byte[] key) {
    try {
      String signature = TargetsReader.sign(json.getBytes(StandardCharsets.UTF_8), key);
      return (signature + "\n" + json).getBytes(StandardCharsets.UTF_8);
    } catch (Refused e) {
      throw new AssertionError(e);
    }
  }

  void write(byte[] bytes) throws IOException {
    Path beside = folder.resolve("beside");
    Files.write(beside, bytes);
    Files.move(beside, targets, StandardCopyOption.ATOMIC_MOVE);
  }

  void write(long generation, String... entries) throws IOException {
    write(signed(json(generation, System.currentTimeMillis(), entries)));
  }
}
