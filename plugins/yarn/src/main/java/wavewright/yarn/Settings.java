package wavewright.yarn;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The settings of a queue's policy, below `yarn.scheduler.capacity.QUEUE.ordering-policy.`: `targets`, `key-file`,
 * `poll-ms` (500), `silent-after-ms` (10000).
 */
final class Settings {
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1\\]");

  final URI targets;
  final String keyFile;
  final long pollMs;
  final long silentAfterMs;

  private Settings(URI targets, String keyFile, long pollMs, long silentAfterMs) {
    this.targets = targets;
    this.keyFile = keyFile;
    this.pollMs = pollMs;
    this.silentAfterMs = silentAfterMs;
  }

  /** Throws IllegalArgumentException with what is wrong and how to put it right. */
  static Settings of(Map<String, String> settings) {
    String address = required(settings, "targets", "a file:, https: or loopback http: address");
    URI targets = URI.create(address);
    String scheme = String.valueOf(targets.getScheme());
    switch (scheme) {
      case "file":
        if (targets.getPath() == null || targets.getHost() != null) {
          throw new IllegalArgumentException("'targets' is " + address + "; write file:///FOLDER/FILE");
        }
        break;
      case "https":
        break;
      case "http":
        if (targets.getHost() == null || !LOOPBACK.matcher(targets.getHost()).matches()) {
          throw new IllegalArgumentException("'targets' is " + address
              + "; plain http is for this machine only (127.0.0.1): use https");
        }
        break;
      default:
        throw new IllegalArgumentException("'targets' is " + address + "; it starts with file:, https: or http:");
    }
    return new Settings(targets, required(settings, "key-file", "the file with the secret shared with the daemon"),
        milliseconds(settings, "poll-ms", 500), milliseconds(settings, "silent-after-ms", 10000));
  }

  private static String required(Map<String, String> settings, String name, String what) {
    String value = settings.get(name);
    if (value == null || value.trim().isEmpty()) {
      throw new IllegalArgumentException("the setting '" + name + "' is missing: " + what);
    }
    return value.trim();
  }

  private static long milliseconds(Map<String, String> settings, String name, long otherwise) {
    String value = settings.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value.trim());
      if (number >= 10 && number <= 86_400_000) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException("'" + name + "' is " + value + "; give 10 to 86400000 milliseconds");
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Settings)) {
      return false;
    }
    Settings that = (Settings) other;
    return targets.equals(that.targets) && keyFile.equals(that.keyFile);
  }

  /** Two with the same source of targets are equal, whatever their times. */
  @Override
  public int hashCode() {
    return Objects.hash(targets, keyFile);
  }
}
