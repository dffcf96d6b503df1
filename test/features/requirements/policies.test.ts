import { afterEach, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Module, Policy, ToolGroup, type AuthOptions, type Caller } from 'toolwright';
import { createAppWithCallers, type AppWithCallers } from '../../support/callers.ts';

class Changing {
  @IsString() id!: string;
}

const closing: AppWithCallers[] = [];
afterEach(async () => {
  for (const { app } of closing.splice(0)) await app.close();
});

async function toolsOf(app: AppWithCallers, caller: Parameters<AppWithCallers['ask']>[0]) {
  return (await app.result<{ tools: readonly object[] }>(caller, 'tools/list')).tools;
}

const asked: string[] = [];
let owner = 'ada';
class OwnsTask {
  readonly reason = 'You did not write this task';
  list({ sub }: Caller): boolean | Promise<boolean> {
    asked.push(`list ${String(sub)}`);
    if (sub === 'thrower') throw new Error('broken');
    if (sub === 'hanger') return new Promise(() => undefined);
    return Promise.resolve(sub !== 'stranger');
  }
  call({ sub, loaded }: Caller, input: Changing): boolean {
    asked.push(`call ${input.id} ${JSON.stringify(loaded)}`);
    return sub === owner;
  }
}
@ToolGroup('own')
@Policy(OwnsTask)
class Own {
  @Action() edit(input: Changing): string {
    return `edited ${input.id}`;
  }
}
@Module({ controllers: [Own], providers: [OwnsTask] })
class OwnModule {}

async function startedOwn(auth: Partial<AuthOptions> = {}) {
  const app = await createAppWithCallers(OwnModule, { policyTimeout: 50, ...auth });
  closing.push(app);
  asked.length = 0;
  owner = 'ada';
  return app;
}
const edit = { name: 'own', arguments: { action: 'edit', id: '1' } };

test('policies decide what is listed once for a while, and each call by its validated input', async () => {
  const app = await startedOwn({ load: ({ sub }) => ({ team: sub }) });
  expect(await toolsOf(app, { sub: 'ada' })).toHaveLength(1);
  expect(await app.result({ sub: 'ada' }, 'tools/call', edit)).not.toHaveProperty('isError');
  const wrong = { name: 'own', arguments: { action: 'edit', id: 1 } };
  expect(JSON.stringify(await app.result({ sub: 'ada' }, 'tools/call', wrong))).toContain(
    'VALIDATION_FAILED',
  );
  expect(asked).toEqual(['list ada', 'call 1 {"team":"ada"}']);
  const denied = JSON.stringify(await app.result({ sub: 'bob' }, 'tools/call', edit));
  expect(denied).toContain('FORBIDDEN');
  expect(denied).toContain('[own/edit] You did not write this task');
  expect(await toolsOf(app, { sub: 'stranger' })).toEqual([]);
});

test('policies deny by throwing and by taking too long, and the log has it', async () => {
  const app = await startedOwn();
  for (const sub of ['thrower', 'hanger']) {
    expect(await toolsOf(app, { sub })).toEqual([]);
    expect(JSON.stringify(await app.result({ sub }, 'tools/call', edit))).toContain('UNKNOWN_TOOL');
  }
  const events = app.logger.records.filter(({ event }) => event === 'policy.failed');
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(asked.filter((each) => each.startsWith('call'))).toEqual([]);
});

test('policies are asked again after notifyViews(), which reaches those who are concerned', async () => {
  const app = await startedOwn();
  await toolsOf(app, { sub: 'ada' });
  await toolsOf(app, { sub: 'bob' });
  app.app.notifyViews({
    issuer: 'https://issuer.example',
    clientId: 'program',
    sub: 'ada',
    tenant: undefined,
  });
  await toolsOf(app, { sub: 'ada' });
  await toolsOf(app, { sub: 'bob' });
  expect(asked).toEqual(['list ada', 'list bob', 'list ada']);
});
