package wavewright.yarn;

/** A document of targets that is not taken, and why. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  enum Reason { UNREACHABLE, KEY, TOO_LARGE, SIGNATURE, GARBLED, GENERATION, CLOCK, INTERNAL }

  final Reason reason;

  Refused(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }
}
