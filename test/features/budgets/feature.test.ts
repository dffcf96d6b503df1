import { afterEach, describe, expect, test } from '@jest/globals';
import { Action, Budget, Module, ToolGroup, type Class } from 'toolwright';
import { assembleApplication, type ApplicationParts } from '../../../src/application/assemble-application.ts';
import { Cancellation } from '../../../src/call/call-context.ts';
import { appendRecord } from '../../../src/metadata/records.ts';
import { LocalOrigin } from '../../../src/runtime/local-calls.ts';
import { partsOf } from '../../../src/runtime/routes/service-parts.ts';
import { NO_CLIENT } from '../../../src/runtime/clients/served-clients.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

@ToolGroup('logs')
class Logs {
  @Action() @Budget({ bytes: 1024 }) all() {
    return 'l'.repeat(5000);
  }
}

@ToolGroup('logs')
class ShortLogs {
  @Action() all() {
    return 'short';
  }
}

@Module({ controllers: [Logs] })
class LogsModule {}

@Module({ controllers: [ShortLogs] })
class ShortLogsModule {}

const ADA = { token: 't', clientId: 'desk', scopes: [], extra: { sub: 'ada' } };
const BOB = { ...ADA, extra: { sub: 'bob' } };
const running: ApplicationParts[] = [];

afterEach(async () => {
  for (const { server } of running.splice(0)) await server.close();
});

async function start(module: Class = LogsModule, before?: ApplicationParts): Promise<ApplicationParts> {
  const options = { name: 'logs', logger: new MemoryLogger() };
  const parts = await assembleApplication(module, options, async () => undefined, before);
  running.push(parts);
  return parts;
}

/** The URI of the link in a result that was too large. */
async function storedLink({ server }: ApplicationParts): Promise<string> {
  const { content } = await server.localCalls.call('logs', { action: 'all' }, { authInfo: ADA });
  const link = content.find((block) => block.type === 'resource_link');
  return String(link?.uri);
}

async function read({ service }: ApplicationParts, uri: string, authInfo = ADA) {
  const outcome = await service.serve({
    method: 'resources/read',
    params: { uri },
    context: new LocalOrigin('1', { authInfo }),
    cancellation: new Cancellation(),
    served: NO_CLIENT,
  });
  return outcome.kind === 'failure' ? outcome.error : outcome.value;
}

const WHOLE = { contents: [{ text: 'l'.repeat(5000) }] };

describe('a budget in an application without resources', () => {
  test('declares them, and a stored result is read by its owner only', async () => {
    const parts = await start();
    expect(partsOf(parts.service)).toEqual(['tools', 'resources']);
    const uri = await storedLink(parts);
    expect(await read(parts, uri)).toMatchObject(WHOLE);
    expect(await read(parts, uri, BOB)).toMatchObject({ code: -32602 });
  });
});

describe('an application in the place of another one', () => {
  test('has its stored results, where the limits are the same', async () => {
    const before = await start();
    const uri = await storedLink(before);
    const after = await start(LogsModule, before);
    expect(after.service.settings.states.budgets).toBe(before.service.settings.states.budgets);
    expect(await read(after, uri)).toMatchObject(WHOLE);
  });

  test('has none where it wants none, and declares no resources', async () => {
    const before = await start();
    const after = await start(ShortLogsModule, before);
    expect(after.service.settings.states).not.toHaveProperty('budgets');
    expect(partsOf(after.service)).toEqual(['tools']);
  });

  test('makes them where the former one wanted none', async () => {
    const after = await start(LogsModule, await start(ShortLogsModule));
    expect(await read(after, await storedLink(after))).toMatchObject(WHOLE);
  });
});

test('is read as well where a second copy of the package wrote it: by names, and by nothing else', async () => {
  class Copied {
    @Action() all() {
      return 'l'.repeat(5000);
    }
  }
  ToolGroup('logs')(Copied);
  const options = { bytes: 1024 };
  appendRecord(Copied, { kind: 'feature', feature: 'budgets', decorator: '@Budget', member: 'all', options });
  @Module({ controllers: [Copied] })
  class CopiedModule {}
  expect(await storedLink(await start(CopiedModule))).toMatch(/^toolwright:\/\/results\//);
});
