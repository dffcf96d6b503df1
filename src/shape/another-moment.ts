const DAYS_AWAY = 4321;
const A_DAY = 86_400_000;

/**
 * Runs a synchronous step at another time and with other random numbers: what comes out the same is no
 * value of the moment. Code that keeps its own `Date` or `Math.random` is not reached.
 */
export function atAnotherMoment<T>(step: () => T): T {
  const { Date: ThisDate } = globalThis;
  const { random } = Math;
  // where the globals are frozen, Reflect.set changes nothing, and the step runs as it is
  Reflect.set(globalThis, 'Date', laterDate(ThisDate));
  Reflect.set(Math, 'random', () => (random() + 0.5) % 1);
  try {
    return step();
  } finally {
    Reflect.set(globalThis, 'Date', ThisDate);
    Reflect.set(Math, 'random', random);
  }
}

function laterDate(ThisDate: DateConstructor): DateConstructor {
  const now = (): number => ThisDate.now() + DAYS_AWAY * A_DAY + 12_345_678;
  return new Proxy(ThisDate, {
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    apply: () => new ThisDate(now()).toString(),
    construct: (target, args, made) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, made) as object,
  });
}
