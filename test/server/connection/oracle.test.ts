import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { DirectModule } from '../../fixtures/direct-app.ts';
import { MemoryLogger } from '../../fixtures/fake-surface.ts';
import { connectOracle } from '../../support/oracle/connect-oracle.ts';
import { transcript, type Heard } from '../../support/oracle/transcript.ts';
import { CASES } from './cases.ts';

const INFO = { name: 'direct', version: '1.0.0', instructions: 'Try it.' };

/** What may differ from SDK v1, in which cases and why. */
const DIFFERENCES: readonly {
  readonly cases: RegExp;
  readonly leaveOut: (message: Heard) => Heard | undefined;
  readonly why: string;
}[] = [
  {
    cases: /^a handshake with(out| wrong)|^a handshake of|^a level (that|without)|^request \d+: logging/,
    leaveOut: ({ error, ...message }) => ({ ...message, ...(error && { error: { code: 0, message: '' } }) }),
    why: 'Wrong params are invalid params, told in a sentence; the SDK calls them an internal error and dumps its checks.',
  },
  {
    cases: /^request \d+: tools\/call (\{"name":5\}|\{\})$/,
    leaveOut: ({ error, ...message }) => ({
      ...message,
      ...(error && { error: { code: error.code, message: '' } }),
    }),
    why: 'The SDK dumps its checks of calls.',
  },
  {
    cases: /^request \d+: tools\/call .*("arguments":(\[1\]|null)|"task":"no")/,
    leaveOut: ({ id, result, error, ...message }) =>
      result?.['serverInfo'] === undefined && (result ?? error) !== undefined ? { id } : { id, ...message },
    why: 'Arguments that are no object are repaired by models like all others; the SDK refuses the request.',
  },
  {
    cases: /^a call that belongs to a task$/,
    leaveOut: (message) => (message.method === 'notifications/message' ? undefined : message),
    why: 'The SDK loses what a call says that names a task, for which it has no queue.',
  },
];

let app: McpApplication;
beforeAll(async () => {
  app = await McpApplication.create(DirectModule, { ...INFO, logger: new MemoryLogger() });
});
afterAll(() => app.close());

const served = (name: string): Promise<readonly Heard[]> =>
  transcript((transport) => app.connect(transport), CASES[name] ?? []);
const byOracle = (name: string): Promise<readonly Heard[]> =>
  transcript((transport) => connectOracle(app, transport, INFO), CASES[name] ?? []);

function comparable(heard: readonly Heard[], name: string): readonly Heard[] {
  return DIFFERENCES.filter(({ cases }) => cases.test(name)).reduce<readonly Heard[]>(
    (messages, { leaveOut }) => messages.flatMap((message) => leaveOut(message) ?? []),
    heard,
  );
}

describe('a connection of the revisions up to 2025-11-25', () => {
  test.each(Object.keys(CASES))('answers as SDK v1 does: %s', async (name) => {
    const [own, sdk] = [await served(name), await byOracle(name)];
    expect(comparable(own, name)).toEqual(comparable(sdk, name));
  });

  test.each(DIFFERENCES)('differs from it only where it is said: $why', async ({ cases }) => {
    const names = Object.keys(CASES).filter((name) => cases.test(name));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(await served(name)).not.toEqual(await byOracle(name));
  });
});
