package wavewright.yarn;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Where the targets come from. A daemon thread asks every `poll-ms`; `current` gives the last document that was taken, or
 * null while the daemon is silent.
 *
 * <p>A document is taken if its signature is right, it is under 8 MiB, and its generation is greater than that of the last
 * one taken; for the first one, if it was issued within five minutes of the clock. Otherwise a kept old document could be
 * put in again.
 *
 * <p>All queues with the same address and key share one source. It lives on when the queues are read anew, which makes new
 * policies, so that an old document is refused then, too. It ends when no policy uses it any more.
 */
final class TargetsSource {
  private static final long FIRST_WITHIN_MS = 300_000;
  private static final int CONNECT_MS = 2000;
  private static final int READ_MS = 2000;
  private static final long FETCH_NANOS = 5_000_000_000L;
  private static final int LEAST_KEY_BYTES = 16;
  private static final int MOST_KEY_BYTES = 4096;
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
  private static final Map<Settings, TargetsSource> SHARED = new HashMap<>();

  /** A document and when it was taken, so that both are read together. */
  private static final class Taken {
    final Targets targets;
    final long atNanos;

    Taken(Targets targets, long atNanos) {
      this.targets = targets;
      this.atNanos = atNanos;
    }
  }

  private volatile Settings settings;
  private final LongSupplier nanoClock;
  private final LongSupplier wallClockMs;
  private final Log log = new Log();
  private final List<WeakReference<Object>> users = new ArrayList<>();
  private volatile Taken last;
  private volatile boolean silent = true;

  TargetsSource(Settings settings, LongSupplier nanoClock, LongSupplier wallClockMs) {
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.wallClockMs = wallClockMs;
  }

  /** The source with these settings, which polls as long as `user` is reachable. */
  static TargetsSource shared(Settings settings, Object user) {
    synchronized (SHARED) {
      TargetsSource source = SHARED.get(settings);
      if (source == null) {
        source = new TargetsSource(settings, System::nanoTime, System::currentTimeMillis);
        SHARED.put(settings, source);
        source.start();
      }
      source.settings = settings;
      source.users.add(new WeakReference<>(user));
      return source;
    }
  }

  private void start() {
    Log.info("targets are read from " + settings.targets + " every " + settings.pollMs
        + " ms; first in, first out until the first document");
    Thread thread = new Thread(this::pollForever, "wavewright-targets");
    thread.setDaemon(true);
    thread.start();
  }

  private void pollForever() {
    while (isUsed()) {
      try {
        poll();
        Thread.sleep(settings.pollMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Throwable e) {
        // The next round may be better, and the daemon counts as silent until then.
        log.once("poll", "targets could not be read", e);
        try {
          Thread.sleep(settings.pollMs);
        } catch (InterruptedException interrupted) {
          return;
        }
      }
    }
  }

  private boolean isUsed() {
    synchronized (SHARED) {
      for (Iterator<WeakReference<Object>> each = users.iterator(); each.hasNext();) {
        if (each.next().get() == null) {
          each.remove();
        }
      }
      if (users.isEmpty()) {
        SHARED.remove(settings);
        return false;
      }
      return true;
    }
  }

  /** The targets in force, or null while the daemon is silent. Takes two reads of volatile fields. */
  Targets current() {
    Taken taken = last;
    if (taken == null) {
      return null;
    }
    long age = nanoClock.getAsLong() - taken.atNanos;
    if (age <= settings.silentAfterMs * 1_000_000) {
      return taken.targets;
    }
    if (!silent) {
      synchronized (this) {
        if (!silent && last == taken) {
          silent = true;
          Log.error("no targets newer than generation " + taken.targets.generation + " for " + age / 1_000_000
              + " ms: first in, first out without limits until some come");
        }
      }
    }
    return null;
  }

  /** One round: fetches, checks and takes a document. */
  void poll() {
    try {
      byte[] key = key();
      byte[] bytes = fetch();
      if (last != null && last.targets.signature.equals(TargetsReader.signature(bytes))) {
        return;  // the one that is in force
      }
      take(TargetsReader.read(bytes, key));
    } catch (Refused e) {
      refuse(e);
    } catch (IOException e) {
      refuse(new Refused(Refused.Reason.UNREACHABLE, e.toString()));
    } catch (RuntimeException e) {
      log.once(Refused.Reason.INTERNAL.name(), "targets could not be read", e);
    }
  }

  private void take(Targets targets) throws Refused {
    Taken before = last;
    if (before == null) {
      long off = targets.issuedMs - wallClockMs.getAsLong();
      if (Math.abs(off) > FIRST_WITHIN_MS) {
        throw new Refused(Refused.Reason.CLOCK, "the first document after a start must be issued within five minutes of"
            + " this clock; it is " + Math.abs(off) / 1000 + " s " + (off < 0 ? "older" : "newer"));
      }
    } else if (targets.generation <= before.targets.generation) {
      throw new Refused(Refused.Reason.GENERATION,
          "its generation is " + targets.generation + ", after " + before.targets.generation);
    }
    synchronized (this) {
      last = new Taken(targets, nanoClock.getAsLong());
      if (silent) {
        silent = false;
        Log.info("targets of generation " + targets.generation + " with " + targets.size() + " entries are in force");
      }
    }
    log.forget();
  }

  private void refuse(Refused e) {
    log.once(e.reason.name(), "targets from " + settings.targets + " are not taken: " + e.getMessage(), null);
  }

  /** How many documents were refused for this reason since the last that was taken. */
  long refused(Refused.Reason reason) {
    return log.count(reason.name());
  }

  /** For the pages of the ResourceManager. */
  String describe() {
    Targets targets = current();
    if (targets == null) {
      return "Wavewright is silent: first in, first out";
    }
    return "Wavewright's targets, generation " + targets.generation;
  }

  // ---- files and addresses ----

  private byte[] key() throws Refused, IOException {
    Path file = Paths.get(settings.keyFile);
    if (!Files.isRegularFile(file)) {
      throw new Refused(Refused.Reason.KEY, "there is no key file " + file);
    }
    if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
      throw new Refused(Refused.Reason.KEY, "others than its owner have rights on " + file + "; chmod 600 it");
    }
    if (Files.size(file) > MOST_KEY_BYTES) {
      throw new Refused(Refused.Reason.KEY, file + " has more than " + MOST_KEY_BYTES + " bytes");
    }
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) {
      end--;
    }
    if (end < LEAST_KEY_BYTES) {
      throw new Refused(Refused.Reason.KEY, "the key in " + file + " has less than " + LEAST_KEY_BYTES + " bytes");
    }
    return java.util.Arrays.copyOf(bytes, end);
  }

  private byte[] fetch() throws IOException, Refused {
    if ("file".equals(settings.targets.getScheme())) {
      try (InputStream in = Files.newInputStream(Paths.get(settings.targets))) {
        return read(in);
      }
    }
    // No proxy and no redirection: what is asked is the address that was checked.
    HttpURLConnection connection = (HttpURLConnection) settings.targets.toURL().openConnection(Proxy.NO_PROXY);
    try {
      connection.setInstanceFollowRedirects(false);
      connection.setUseCaches(false);
      connection.setConnectTimeout(CONNECT_MS);
      connection.setReadTimeout(READ_MS);
      if (connection.getResponseCode() != 200) {
        throw new Refused(Refused.Reason.UNREACHABLE, "the answer is " + connection.getResponseCode());
      }
      try (InputStream in = connection.getInputStream()) {
        return read(in);
      }
    } finally {
      connection.disconnect();
    }
  }

  /** Reads no more than the limit, so that no answer fills the ResourceManager's memory. */
  private byte[] read(InputStream in) throws IOException, Refused {
    long until = System.nanoTime() + FETCH_NANOS;
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
    byte[] part = new byte[1 << 14];
    for (int count = in.read(part); count >= 0; count = in.read(part)) {
      out.write(part, 0, count);
      if (out.size() >= TargetsReader.MOST_BYTES) {
        throw new Refused(Refused.Reason.TOO_LARGE, "it has 8 MiB or more");
      }
      if (System.nanoTime() - until > 0) {
        throw new Refused(Refused.Reason.UNREACHABLE, "it takes longer than " + FETCH_NANOS / 1_000_000_000 + " s");
      }
    }
    return out.toByteArray();
  }
}
