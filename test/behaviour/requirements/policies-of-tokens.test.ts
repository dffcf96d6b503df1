import { Buffer } from 'node:buffer';
import { afterEach, expect, test } from '@jest/globals';
import {
  Action,
  Injectable,
  Module,
  Policy,
  Resource,
  ToolGroup,
  type AuthOptions,
  type Caller,
  type Class,
} from 'toolwright';
import { authInfoOf, createAppWithCallers, type AppWithCallers } from '../../support/callers.ts';

const closing: AppWithCallers[] = [];
afterEach(async () => {
  for (const { app } of closing.splice(0)) await app.close();
});

async function started(module: Class, auth: Partial<AuthOptions>): Promise<AppWithCallers> {
  const app = await createAppWithCallers(module, auth);
  closing.push(app);
  return app;
}

const ran: string[] = [];

@ToolGroup('vault')
class Vault {
  @Action() @Policy({ list: ({ authInfo }: Caller) => authInfo.extra?.['acr'] === 'mfa' }) open(): string {
    ran.push('open');
    return 'opened';
  }
  @Action() look(): string {
    return 'seen';
  }
}
@Module({ controllers: [Vault] })
class VaultModule {}

const open = { name: 'vault', arguments: { action: 'open' } };

test('what a policy said of one token does not count for another one of the same subject that says less', async () => {
  ran.length = 0;
  const verify = {
    verify: (token: string) => {
      const { sub = '', acr } = JSON.parse(Buffer.from(token, 'base64url').toString()) as {
        readonly sub?: string;
        readonly acr?: string;
      };
      const caller = authInfoOf({ sub });
      return { ...caller, extra: { ...caller.extra, acr } };
    },
  };
  const app = await started(VaultModule, { verify });
  const strong = { sub: 'ada', acr: 'mfa' };
  expect(JSON.stringify(await app.result(strong, 'tools/call', open))).toContain('opened');
  expect(JSON.stringify(await app.result({ sub: 'ada' }, 'tools/call', open))).toContain('UNKNOWN_ACTION');
  expect(JSON.stringify(await app.result(strong, 'tools/call', open))).toContain('opened');
  expect(ran).toEqual(['open', 'open']);
});

@ToolGroup('office')
class Office {
  @Action()
  @Policy({ list: ({ authInfo }: Caller) => (authInfo.extra?.['groups'] as Set<string>).has('leads') })
  plan(): string {
    return 'planned';
  }
}
@Module({ controllers: [Office] })
class OfficeModule {}

test('callers whose verifier gives more than JSON carries are not taken for each other', async () => {
  const verify = {
    verify: (token: string) => {
      const { groups } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { groups?: string[] };
      const caller = authInfoOf({ sub: 'ada' });
      return { ...caller, extra: { ...caller.extra, groups: new Set(groups) } };
    },
  };
  const app = await started(OfficeModule, { verify });
  const plan = { name: 'office', arguments: { action: 'plan' } };
  const ask = async (caller: object) => JSON.stringify(await app.result(caller, 'tools/call', plan));
  expect(await ask({ groups: ['leads'] })).toContain('planned');
  expect(await ask({ groups: [] })).toContain('UNKNOWN_TOOL');
});

interface Loaded {
  readonly isBanned: boolean;
}

@ToolGroup('notes')
class Notes {
  @Action()
  @Policy(
    { list: ({ loaded }: Caller) => (loaded as Loaded | undefined)?.isBanned !== true },
    { denied: 'refuse' },
  )
  listed(): string {
    ran.push('listed');
    return 'done';
  }
  @Action()
  @Policy({ call: ({ loaded }: Caller) => (loaded as Loaded | undefined)?.isBanned !== true })
  called(): string {
    ran.push('called');
    return 'done';
  }
  @Action()
  @Policy({ list: ({ loaded }: Caller) => (loaded as Loaded | undefined)?.isBanned === false })
  hidden(): string {
    ran.push('hidden');
    return 'done';
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

const call = (action: string) => ({ name: 'notes', arguments: { action } });

test('where a caller cannot be loaded, no policy admits it, whenever it is asked', async () => {
  ran.length = 0;
  const load = (): never => {
    throw new Error('The database is down');
  };
  const app = await started(NotesModule, { load });
  for (const action of ['listed', 'called', 'hidden']) {
    const answer = await app.result<{ isError?: boolean }>({ sub: 'ada' }, 'tools/call', call(action));
    expect([action, answer.isError]).toEqual([action, true]);
  }
  expect(ran).toEqual([]);
});

test('policies see what is loaded from the first call on', async () => {
  ran.length = 0;
  const app = await started(NotesModule, {
    load: async ({ sub }) => Promise.resolve({ isBanned: sub === 'eve' }),
  });
  for (const action of ['hidden', 'listed', 'called']) {
    const answer = await app.result<{ isError?: boolean }>({ sub: 'ada' }, 'tools/call', call(action));
    expect([action, answer.isError]).toEqual([action, undefined]);
    const refused = await app.result<{ isError?: boolean }>({ sub: 'eve' }, 'tools/call', call(action));
    expect([action, refused.isError]).toEqual([action, true]);
  }
  expect(ran).toEqual(['hidden', 'listed', 'called']);
});

@Injectable()
class Files {
  @Resource('files://{name}', { list: 'names' })
  @Policy({ list: async ({ sub }: Caller) => Promise.resolve(sub === 'ada') }, { denied: 'refuse' })
  read(): string {
    return 'text';
  }
  names(): readonly object[] {
    return [{ uri: 'files://secret-plan', name: 'secret-plan' }];
  }
}
@Module({ controllers: [Files] })
class FilesModule {}

test('a policy that takes its time keeps others from the resources of a template', async () => {
  const app = await started(FilesModule, {});
  const list = async (sub: string) => JSON.stringify(await app.result({ sub }, 'resources/list'));
  expect(await list('ada')).toContain('secret-plan');
  expect(await list('eve')).not.toContain('secret-plan');
});
