import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  Action,
  hostApplications,
  Injectable,
  McpApplication,
  Module,
  Notifier,
  Prompt,
  Resource,
  ToolGroup,
} from 'toolwright';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { eventually } from '../support/eventually.ts';
import { Gates, JobsModule } from '../support/jobs-module.ts';
import { textOf } from '../support/text-of.ts';

const KINDS = ['tools', 'prompts', 'resources'] as const;
type Kind = (typeof KINDS)[number];

/** What the lists of an application say, and what its handlers answer. */
interface Variant extends Readonly<Record<Kind, number>> {
  readonly answer: number;
}

const FIRST: Variant = { tools: 0, prompts: 0, resources: 0, answer: 0 };
const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function createVariant({ tools, prompts, resources, answer }: Variant): Promise<McpApplication> {
  @ToolGroup({ name: 'notes', description: `Notes ${String(tools)}` })
  class Notes {
    @Action('Read them') read() {
      return `answer ${String(answer)}`;
    }
    @Prompt({ name: 'ask', description: `Ask ${String(prompts)}` }) ask() {
      return `prompt ${String(answer)}`;
    }
    @Resource('notes://all', { name: 'all', description: `All ${String(resources)}` }) all() {
      return `resource ${String(answer)}`;
    }
  }
  @Module({ controllers: [Notes] })
  class NotesModule {}
  return McpApplication.create(NotesModule, { name: 'notes' });
}

/** A client, and what it is notified of. */
async function connect(url: string, era: '2025' | '2026') {
  const notified: string[] = [];
  const client = await McpClient.connect(new HttpTransport(url), {
    era,
    onNotification: (method) => {
      if (method.endsWith('list_changed')) notified.push(method);
    },
  });
  opened.push(() => client.close());
  await client.subscribe({ tools: true, prompts: true, resources: true });
  return { client, notified };
}

async function replace(before: McpApplication, after: McpApplication) {
  const replacement = before.replaceWith(after);
  await replacement.finished;
  await before.close();
  return replacement;
}

const methodOf = (kind: Kind): string => `notifications/${kind}/list_changed`;
const variants = fc.array(
  fc.record({ tools: fc.nat(1), prompts: fc.nat(1), resources: fc.nat(1), answer: fc.nat(3) }),
  { maxLength: 8 },
);

test('whatever is replaced, clients of both eras stay, and are notified of the lists that differ alone', async () => {
  const check = async (later: readonly Variant[]): Promise<void> => {
    let app = await createVariant(FIRST);
    const { url } = await app.listen({ port: 0, signals: false });
    const clients = await Promise.all([connect(url, '2025'), connect(url, '2026')]);
    const expected: string[] = [];
    let served = FIRST;
    // The last one differs in all lists: when its notices are there, all others are.
    for (const variant of [...later, { tools: 2, prompts: 2, resources: 2, answer: 4 }]) {
      const next = await createVariant(variant);
      const changed = KINDS.filter((kind) => variant[kind] !== served[kind]);
      expect((await replace(app, next)).changed).toEqual(changed);
      expected.push(...changed.map(methodOf));
      [app, served] = [next, variant];
      for (const { client } of clients) {
        const answer = await client.callTool('notes', { action: 'read' });
        expect(textOf(answer)).toBe(`answer ${String(variant.answer)}`);
        expect((await client.listTools())[0]?.description).toContain(`Notes ${String(variant.tools)}`);
        expect((await client.listPrompts())[0]?.description).toBe(`Ask ${String(variant.prompts)}`);
      }
    }
    for (const { notified } of clients) {
      await eventually(() => notified.length >= expected.length);
      expect(notified).toEqual(expected);
    }
    for (const { client } of clients) await client.close();
    await app.close();
  };
  await fc.assert(fc.asyncProperty(variants, check), { numRuns: 8 });
});

test('a call that runs finishes in the application where it began', async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const applicationOf = (text: string) => {
    @ToolGroup({ name: 'slow', description: 'Slow' })
    class Slow {
      @Action('Wait') async wait() {
        begun.push(text);
        if (text === 'before') await released;
        return text;
      }
      onApplicationShutdown() {
        ended.push(text);
      }
    }
    @Module({ controllers: [Slow] })
    class SlowModule {}
    return McpApplication.create(SlowModule);
  };
  const begun: string[] = [];
  const ended: string[] = [];
  const before = await applicationOf('before');
  const { url } = await before.listen({ port: 0, signals: false });
  const { client } = await connect(url, '2025');
  const running = client.callTool('slow', { action: 'wait' });
  await eventually(() => begun.length > 0);
  const after = await applicationOf('after');
  opened.push(() => after.close());
  const { finished } = before.replaceWith(after);
  expect(textOf(await client.callTool('slow', { action: 'wait' }))).toBe('after');
  expect(ended).toEqual([]);
  release();
  expect(textOf(await running)).toBe('before');
  await finished;
  await before.close();
  expect(ended).toEqual(['before']);
});

test('closing the former application leaves the sockets open; closing the new one closes them', async () => {
  const before = await createVariant(FIRST);
  const serving = await before.listen({ port: 0, signals: false });
  const after = await createVariant({ ...FIRST, answer: 1 });
  await replace(before, after);
  const { client } = await connect(serving.url, '2026');
  expect(textOf(await client.callTool('notes', { action: 'read' }))).toBe('answer 1');
  await client.close();
  await after.close();
  await serving.closed;
});

test('an application that serves already, or was closed, cannot take a place', async () => {
  const [before, busy, closed] = [
    await createVariant(FIRST),
    await createVariant(FIRST),
    await createVariant(FIRST),
  ];
  opened.push(
    () => before.close(),
    () => busy.close(),
  );
  await busy.listen({ port: 0, signals: false });
  await closed.close();
  expect(() => before.replaceWith(busy)).toThrow('TW_APPLICATION_OPTION');
  expect(() => before.replaceWith(closed)).toThrow('TW_APPLICATION_CLOSED');
});

test('says what clients see only when they connect again', async () => {
  class Empty {}
  Module()(Empty);
  const before = await McpApplication.create(Empty, { name: 'a', logger: () => {} });
  const after = await createVariant(FIRST);
  opened.push(() => after.close());
  const { changed, unannounced } = await replace(before, after);
  expect([changed, unannounced]).toEqual([['tools'], ['name', 'capabilities']]);
});

/** Singletons that live on: two stores, one of which needs what changes. */
const life: string[] = [];

@Injectable()
class Store {
  count = 0;
  constructor(readonly notifier: Notifier) {}
  onModuleInit() {
    life.push('store begins');
  }
  onModuleDestroy() {
    life.push('store ends');
  }
  [Symbol.dispose]() {
    life.push('store is disposed');
  }
}

function createCounting(text: string): Promise<McpApplication> {
  @Injectable()
  class Label {
    readonly text = text;
  }
  @Injectable()
  class Named {
    count = 0;
    constructor(readonly label: Label) {}
    onModuleDestroy() {
      life.push(`named ${text} ends`);
    }
  }
  @ToolGroup({ name: 'counter', description: 'Counts' })
  class Counter {
    constructor(
      private readonly store: Store,
      private readonly named: Named,
    ) {}
    @Action('Add one') add() {
      this.store.notifier.toolsChanged();
      return `${text} ${String((this.store.count += 1))} ${String((this.named.count += 1))}`;
    }
  }
  @Module({ controllers: [Counter], providers: [Store, Named, Label] })
  class CountingModule {}
  return McpApplication.create(CountingModule, { name: 'counter' });
}

function hosted(predecessor: McpApplication | undefined): () => void {
  return hostApplications({
    predecessor,
    created: () => {},
    listen: (_app, options, open) => open(options),
    stdio: (_app, options, open) => open(options),
  });
}

test('a singleton lives on while its class and all that it was injected are the same', async () => {
  const first = await createCounting('first');
  const { url } = await first.listen({ port: 0, signals: false });
  const { client, notified } = await connect(url, '2025');
  const add = async () => textOf(await client.callTool('counter', { action: 'add' }));
  expect(await add()).toBe('first 1 1');
  const release = hosted(first);
  const second = await createCounting('second').finally(release);
  await replace(first, second);
  expect(await add()).toBe('second 2 1');
  expect(life.splice(0)).toEqual(['store begins', 'named first ends']);
  await eventually(() => notified.length === 2);
  await second.close();
  expect(life.splice(0)).toEqual(['named second ends', 'store ends', 'store is disposed']);
});

test('an application that fails to start ends nothing that lives on', async () => {
  const first = await createCounting('first');
  const release = hosted(first);
  const abandoned = await createCounting('second').finally(release);
  await abandoned.close();
  expect(life.splice(0)).toEqual(['store begins', 'named second ends']);
  await first.close();
  expect(life.splice(0)).toEqual(['named first ends', 'store ends', 'store is disposed']);
});

test('an application that is given up before it takes the place cancels none of the tasks', async () => {
  const options = { name: 'jobs', secrets: ['s'.repeat(32)], drainTimeout: 50 };
  const first = await McpApplication.create(JobsModule, options);
  opened.push(() => first.close());
  const { url } = await first.listen({ port: 0, signals: false });
  const { client } = await connect(url, '2025');
  const params = { name: 'jobs_slow', arguments: { label: 'a' }, task: {} };
  const { task } = (await client.request('tools/call', params)) as { task: { taskId: string } };
  const release = hosted(first);
  const abandoned = await McpApplication.create(JobsModule, options).finally(release);
  await abandoned.close();
  expect(await client.request('tasks/get', task)).toMatchObject({ status: 'working' });
  first.get(Gates).open('a');
  expect(await client.request('tasks/result', task)).toMatchObject({ content: [{ text: 'done a' }] });
});
