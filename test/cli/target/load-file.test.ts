import { afterEach, expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { LoadingTime } from '../../../src/cli/target/load-file.ts';
import { rejectionOf } from '../../support/thrown.ts';
import { CliError } from '../../../src/cli/output/cli-error.ts';

const exit: unknown = Reflect.get(process, 'exit');
let time: LoadingTime;
afterEach(() => {
  time.end();
  expect(Reflect.get(process, 'exit')).toBe(exit);
});

test.each<readonly [how: string, load: () => Promise<unknown>]>([
  ['at once', async () => process.exit(0)],
  ['later', () => turn().then(() => process.exit())],
  [
    'and again where it fails',
    async () => {
      try {
        process.exit(3);
      } catch {
        process.exit(1);
      }
    },
  ],
  [
    'and goes on where that fails',
    async () => {
      try {
        process.exit(0);
      } catch {
        return {};
      }
    },
  ],
])('a file that ends the process %s has not been loaded', async (_how, load) => {
  time = new LoadingTime('/app/server.ts', 60_000);
  const failure = await rejectionOf(time.load(load), CliError);
  expect([failure.code, failure.exitCode]).toEqual(['TW_CLI_ENTRY_EXIT', 2]);
  expect(failure.message).toMatch(/process\.exit\(\d?\) was called\n[^]*load-file\.test/);
});

test.each([
  [
    'a class that is used above its line',
    new ReferenceError("Cannot access 'Clock' before initialization"),
    /move Clock above/,
  ],
  [
    'another reference error',
    new ReferenceError('Clock is not defined'),
    /correct the file at the line above/,
  ],
])('%s is explained', async (_what, thrown, fix) => {
  time = new LoadingTime('/app/server.ts', 60_000);
  expect(
    (
      await rejectionOf(
        time.load(() => Promise.reject(thrown)),
        CliError,
      )
    ).fix,
  ).toMatch(fix);
});
