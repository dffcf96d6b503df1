import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { DirectModule } from '../support/direct-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { connectOracle } from '../support/oracle/connect-oracle.ts';
import { comparable, DIFFERENCES } from '../support/oracle/differences-2025.ts';
import { transcript, type Heard } from '../support/oracle/transcript.ts';
import { CASES } from './connection-cases.ts';

const INFO = { name: 'direct', version: '1.0.0', instructions: 'Try it.' };

let app: McpApplication;
beforeAll(async () => {
  app = await McpApplication.create(DirectModule, { ...INFO, logger: new MemoryLogger() });
});
afterAll(() => app.close());

const served = (name: string): Promise<readonly Heard[]> =>
  transcript((transport) => app.connect(transport), CASES[name] ?? []);
const byOracle = (name: string): Promise<readonly Heard[]> =>
  transcript((transport) => connectOracle(app, transport, INFO), CASES[name] ?? []);

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
