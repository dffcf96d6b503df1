import { describe, expect, test } from '@jest/globals';
import type { ConformanceCase, MakePort, TestClock } from 'toolwright/testing';

/** A clock that stands still until a case lets time pass. */
export function standingClock(): TestClock {
  let time = Date.UTC(2026, 10, 23, 9, 30);
  return {
    now: () => time,
    pass: (milliseconds) => {
      time += milliseconds;
    },
  };
}

/** A port with a fault: what it does instead of what the right one does. */
export type Broken<Port> = (right: Port, clock: TestClock) => Partial<Port>;

type MakeTimed<Port> = MakePort<Port, { readonly clock: TestClock }>;

interface Kit<Port extends object> {
  readonly cases: (make: MakeTimed<Port>) => readonly ConformanceCase[];
  readonly make: (clock: TestClock) => Port;
  /** By the names of the cases: faults that the case has to find. */
  readonly broken: Readonly<Record<string, Readonly<Record<string, Broken<Port>>>>>;
}

/** Tests a kit: the right port passes each case, and each case finds the ports with the faults that are its own. */
export function testKit<Port extends object>({ cases, make, broken }: Kit<Port>): void {
  const right: MakeTimed<Port> = () => {
    const clock = standingClock();
    return { port: make(clock), clock };
  };
  describe('the port in memory', () => {
    test.each(cases(right).map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run());
  });

  test('each case finds a fault', () => {
    expect(Object.keys(broken)).toEqual(cases(right).map(({ name }) => name));
  });

  for (const [name, faults] of Object.entries(broken)) {
    describe(`"${name}" finds a port that`, () => {
      test.each(Object.entries(faults))('%s', async (_fault, breakIt) => {
        const wrong: MakeTimed<Port> = () => {
          const clock = standingClock();
          const port = make(clock);
          return { port: overridden(port, breakIt(port, clock)), clock, patience: 100 };
        };
        const found = cases(wrong).find((each) => each.name === name);
        await expect(found?.run()).rejects.toThrow();
      });
    });
  }
}

/** The port, but for some of its methods. */
function overridden<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, member) => {
      const value: unknown = Reflect.get(Object.hasOwn(methods, member) ? methods : target, member);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Lets others go on, between a look and what is done about it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
