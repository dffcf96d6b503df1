import { afterEach, expect, test } from '@jest/globals';
import { Action, createTool, Module, Policy, ToolGroup } from 'toolwright';
import { createAppWithCallers, type AppWithCallers } from '../../support/callers.ts';
import { gate } from '../../support/payments.ts';

/** What the policy waits for. */
let asked: { readonly begun: () => void; readonly passed: Promise<void> } | undefined;

@ToolGroup('desk')
class Desk {
  @Action() look(): string {
    return 'seen';
  }
}
@Module({ controllers: [Desk] })
class DeskModule {}

@ToolGroup('slow')
class Slow {
  @Action()
  @Policy({
    list: async () => {
      asked?.begun();
      await asked?.passed;
      return true;
    },
  })
  look(): string {
    return 'seen';
  }
}
@Module({ controllers: [Slow] })
class SlowModule {}

const vault = () =>
  createTool('vault').action({ name: 'open', requires: { roles: ['admin'] }, handler: () => 'opened' });
const open = { name: 'vault', arguments: { action: 'open' } };
const [ada, admin] = [{ sub: 'ada' }, { sub: 'eve', roles: ['admin'] }];

const closing: AppWithCallers[] = [];
afterEach(async () => {
  asked = undefined;
  for (const { app } of closing.splice(0)) await app.close();
});

async function started(...given: Parameters<typeof createAppWithCallers>): Promise<AppWithCallers> {
  const app = await createAppWithCallers(...given);
  closing.push(app);
  return app;
}

const listed = async (app: AppWithCallers, caller: object | undefined): Promise<string> =>
  JSON.stringify(await app.result(caller, 'tools/list'));

test('a tool that is added while the application serves is hidden from the first list on', async () => {
  const app = await started(DeskModule);
  expect(await listed(app, ada)).toContain('desk');
  app.app.registry.register(vault());
  expect(await listed(app, ada)).not.toContain('vault');
  expect(await listed(app, admin)).toContain('vault');
  expect(JSON.stringify(await app.result(ada, 'tools/call', open))).toContain('UNKNOWN_TOOL');
  expect(JSON.stringify(await app.result(admin, 'tools/call', open))).toContain('opened');
});

test('the same where nothing was required before', async () => {
  const app = await started(DeskModule, { default: 'public' });
  expect(await listed(app, undefined)).toContain('desk');
  app.app.registry.register(vault());
  expect(await listed(app, undefined)).not.toContain('vault');
});

test.each<readonly [string, object, string]>([
  ['tools/list', {}, 'slow'],
  ['tools/call', open, 'UNKNOWN_TOOL'],
])(
  'a tool that is added during %s, while a policy is asked, is hidden in it',
  async (method, params, said) => {
    const app = await started(SlowModule, { policyTtl: 0 });
    const [begun, passed] = [gate(), gate()];
    asked = { begun: begun.open, passed: passed.passed };
    const answer = app.result(ada, method, params);
    await begun.passed;
    app.app.registry.register(vault());
    // Another request takes its requirements up
    asked = undefined;
    await listed(app, admin);
    passed.open();
    const text = JSON.stringify(await answer);
    expect(text).toContain(said);
    expect(text).not.toContain(method === 'tools/list' ? 'vault' : 'opened');
  },
);
