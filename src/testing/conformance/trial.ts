import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { conformanceCases, type Cases, type ConformanceCase } from '../../shared/conformance-case.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';

/** The clock of a port, which a test sets. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Lets time pass for the port. */
  pass(milliseconds: number): void | Promise<void>;
}

/** A port without data, made for one case. */
export interface PortUnderTest<Port> {
  /** The port that the case tests. */
  readonly port: Port;
  /** The same data as another instance of the application reaches it. Default: the same port. */
  readonly second?: () => Port | Promise<Port>;
  /** Where a test can set the time. Default: cases wait, none longer than a second. */
  readonly clock?: TestClock;
  /** Milliseconds that a case waits for what has to happen. Default 5000. */
  readonly patience?: number;
  /** Ends what was made, and removes its data. */
  readonly dispose?: () => unknown;
}

/** Makes the port for one case; some cases need more of it. */
export type MakePort<Port, More = unknown> = () =>
  | (PortUnderTest<Port> & More)
  | Promise<PortUnderTest<Port> & More>;

/** What cases know of a port. */
export interface Trial<Port> {
  readonly port: Port;
  readonly second: () => Promise<Port>;
  /** Milliseconds. */
  now(): number;
  /** The same, since 1970; the clock of the port may be another one. */
  epoch(): number;
  pass(milliseconds: number): Promise<void>;
  /** Whether nothing but `pass` lets time pass. */
  readonly isExact: boolean;
  readonly patience: number;
}

/** The cases of a port. */
export type PortCases<Port> = Cases<Trial<Port>>;

/** The cases of a kit, each with a port of its own. */
export function portConformance<Port>(
  cases: PortCases<Port>,
  make: MakePort<Port>,
): readonly ConformanceCase[] {
  const disposals = new WeakMap<Trial<Port>, PortUnderTest<Port>['dispose']>();
  const begin = async (): Promise<Trial<Port>> => {
    const { port, second = () => port, clock, patience = 5000, dispose } = await make();
    const trial: Trial<Port> = {
      port,
      second: async () => second(),
      now: () => clock?.now() ?? performance.now(),
      epoch: () => clock?.now() ?? Date.now(),
      pass: async (milliseconds) => (clock === undefined ? sleep(milliseconds) : clock.pass(milliseconds)),
      isExact: clock !== undefined,
      patience,
    };
    disposals.set(trial, dispose);
    return trial;
  };
  return conformanceCases(cases, begin, async (trial) => {
    await disposals.get(trial)?.();
  });
}

const AT_ONCE = 20;

/** What twenty uses at the same time lead to, half of them through another instance. */
export async function atOnce<Port, Answer>(
  { port, second }: Trial<Port>,
  use: (port: Port, index: number) => MaybePromise<Answer>,
): Promise<Answer[]> {
  const other = await second();
  const uses = Array.from({ length: AT_ONCE }, async (_, index) =>
    use(index % 2 === 0 ? port : other, index),
  );
  return Promise.all(uses);
}

/** Waits until it is so. @throws Error when it takes too long */
export async function eventually(
  trial: Pick<Trial<unknown>, 'patience'>,
  what: string,
  isSo: () => MaybePromise<boolean>,
): Promise<void> {
  const { patience } = trial;
  const end = performance.now() + patience;
  while (!(await soon(trial, what, isSo()))) {
    if (performance.now() > end) throw new Error(`Not within ${String(patience)} ms: ${what}`);
    await sleep(5);
  }
}

/** The value, if it comes in time. */
export async function soon<Value>(
  { patience }: Pick<Trial<unknown>, 'patience'>,
  what: string,
  value: MaybePromise<Value>,
): Promise<Value> {
  const stop = new AbortController();
  const late = sleep(patience, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`Not within ${String(patience)} ms: ${what}`);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}

/** A port that may have a clock. */
interface Timed {
  now?(): Promise<number>;
}

/** Fails for a port whose instances differ about the time. */
export async function expectTime<Port extends Timed>(trial: Trial<Port>): Promise<void> {
  const { port } = trial;
  const other = await trial.second();
  if (port.now === undefined || other.now === undefined) return;
  const before = await port.now();
  const [between, after] = [await other.now(), await port.now()];
  assert.ok(before <= between && between <= after, 'what instances say of the time is not one time');
  if (!trial.isExact) return;
  assert.equal(after, trial.epoch());
  await trial.pass(1000);
  assert.equal(await port.now(), trial.epoch());
}

/** How something with a lifetime is made, and looked for. */
export interface Lasting {
  readonly begin: (key: string, lifetime: number) => Promise<unknown>;
  readonly isThere: (key: string, lifetime: number) => Promise<boolean>;
}

/** Fails for what ends before its lifetime is over, or long after it. */
export async function expectLifetime<Port>(trial: Trial<Port>, { begin, isThere }: Lasting): Promise<void> {
  const lifetime = 200;
  const start = trial.now();
  await begin('early', lifetime);
  await trial.pass(trial.isExact ? lifetime - 1 : lifetime / 2);
  const isEarly = !(await isThere('early', lifetime));
  // A machine that is slow proves nothing
  if (trial.now() - start < lifetime) assert.ok(!isEarly, `gone before its ${String(lifetime)} ms were over`);
  for (const margin of trial.isExact ? [0] : [20, 200, 2000]) {
    await begin(`late ${String(margin)}`, lifetime);
    await trial.pass(lifetime + margin);
    if (!(await isThere(`late ${String(margin)}`, lifetime))) return;
  }
  assert.fail(`still there after its ${String(lifetime)} ms were over`);
}

/** Fails for what ends although each use lets its lifetime begin again. */
export async function expectRenewal<Port>(trial: Trial<Port>, { begin, isThere }: Lasting): Promise<void> {
  // A machine that is slow proves nothing with a short one
  for (const lifetime of [200, 1000, 5000]) {
    const key = `used ${String(lifetime)}`;
    let [isOnTime, before] = [true, trial.now()];
    await begin(key, lifetime);
    for (let use = 0; use < 3; use += 1) {
      await trial.pass(lifetime * 0.6);
      const start = trial.now();
      const wasThere = await isThere(key, lifetime);
      isOnTime &&= trial.now() - before < lifetime;
      if (isOnTime) assert.ok(wasThere, 'gone although its lifetime had begun again');
      before = start;
    }
    if (isOnTime) return;
  }
}

/** Owners that a store must not take for each other. */
const OWNERS: readonly string[] = ['a', 'A', '_', '-'].map((last) => `${'a'.repeat(21)}${last}`);

/** A port that removes the entries of an owner, where it can. */
interface Forgetful {
  forget?(owner: string): MaybePromise<number>;
}

/** Fails for a port that forgets more or less than the entries of one owner. */
export async function expectForgotten<Port extends Forgetful>(
  { port, second }: Pick<Trial<Port>, 'port' | 'second'>,
  put: (key: string) => MaybePromise<unknown>,
  isThere: (key: string) => MaybePromise<boolean>,
): Promise<void> {
  if (port.forget === undefined) return;
  const other = await second();
  const keysOf = (owner: string): string[] => ['1', '2', 'a b'].map((rest) => `${owner}.${rest}`);
  const others = ['a', `b${'a'.repeat(22)}.1`, `${'a'.repeat(22)}x.1`];
  const kept = new Set([...others, ...OWNERS.flatMap(keysOf)]);
  for (const key of kept) await put(key);
  for (const owner of OWNERS) {
    const removed = (await other.forget?.(owner)) ?? 0;
    assert.ok(removed >= 1, `it says that it removed ${String(removed)} entries`);
    for (const key of keysOf(owner)) kept.delete(key);
    for (const key of [...others, ...OWNERS.flatMap(keysOf)]) {
      const is = await isThere(key);
      assert.equal(is, kept.has(key), `${key} is ${is ? '' : 'not '}there after ${owner} was forgotten`);
    }
    assert.equal(await port.forget(owner), 0, 'a second time, something was removed');
  }
}

const LONG = 'long '.repeat(500);

/** Keys that a store must not take for each other. */
export const ODD_KEYS: readonly string[] = [
  ...['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a:b', 'a:b:c', '{a}', '{a}:b', 'a*', 'a?', '[a]', '%', '_'],
  ...[
    "o'b",
    '"',
    '\\',
    '\n',
    '\u0001',
    '../a',
    '__proto__',
    'constructor',
    'undefined',
    '\u2028',
    '😀',
    '\uffff',
  ],
  ...[`${LONG}a`, `${LONG}b`],
];

/** All kinds of characters, but for U+0000 and halves of pairs, which not every store can keep. */
export const ODD_TEXT =
  ' \t\r\n\u0001\u007f"\'\\{}\u00e9 e\u0301 \u6f22\u5b57 \u2028 \ud83d\ude00 \ufeff \uffff %s $1 ';

/** 1 MiB in UTF-8. */
export const LARGE_TEXT = '\u00e9'.repeat(512 * 1024);

/** Fails for keys that are taken for each other, and for texts that come back as other ones. */
export async function expectApart(
  put: (key: string, value: string) => Promise<unknown>,
  get: (key: string) => Promise<string | undefined>,
): Promise<void> {
  for (const [index, key] of ODD_KEYS.entries()) await put(key, `value ${String(index)}`);
  for (const [index, key] of ODD_KEYS.entries()) {
    assert.equal(
      await get(key),
      `value ${String(index)}`,
      `the value of the key ${JSON.stringify(key.slice(-9))}`,
    );
  }
}

/** Fails for texts that come back as other ones. */
export async function expectTexts(
  put: (key: string, value: string) => Promise<unknown>,
  get: (key: string) => Promise<string | undefined>,
): Promise<void> {
  for (const [index, text] of ['', ODD_TEXT, LARGE_TEXT].entries()) {
    const key = `text ${String(index)}`;
    await put(key, text);
    // Not an assertion on the text itself, which would print all of it
    assert.ok(
      (await get(key)) === text,
      `a text of ${String(text.length)} characters came back as another one`,
    );
  }
}
