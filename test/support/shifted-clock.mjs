/** Sets the clock of a process `CLOCK_SHIFT` milliseconds forward. */
const { Date: RealDate } = globalThis;
const shift = Number(process.env.CLOCK_SHIFT);

globalThis.Date = class Date extends RealDate {
  static now() {
    return RealDate.now() + shift;
  }

  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shift);
    else super(...parts);
  }
};
