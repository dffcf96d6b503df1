import { afterEach, beforeEach } from '@jest/globals';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import {
  Action,
  Injectable,
  Input,
  Module,
  Notifier,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
  type Backplane,
} from 'toolwright';
import { connectVersion1 } from './connections/client-of-version-1.ts';
import { connectVersion2 } from './connections/client-of-version-2.ts';
import type { FeatureClient, FeatureClientOptions } from './connections/feature-client.ts';
import { latch } from './fake-application.ts';
import { openReplicas, type Replicas, type ReplicasOptions } from './replicas.ts';
import { SharedMemory } from './shared-memory.ts';
import { textOf } from './text-of.ts';

class Named {
  @IsString() name!: string;
}

/** What runs on any of the instances. */
export let work = { started: latch(), end: latch(), aborted: [] as string[] };

@Injectable()
class News {
  constructor(readonly notifier: Notifier) {}
}

@ToolGroup('desk')
class DeskTools {
  @Action() echo({ name }: Named): string {
    return name;
  }

  @Action() async interview(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Named, 'Who?');
    const said = await ctx.sample('What?');
    for (const step of [1, 2, 3]) await ctx.progress(step, 3);
    return `${answer.action === 'accept' ? answer.content.name : answer.action} ${said.text}`;
  }

  @Action() async work({ name }: Named, ctx: ToolContext): Promise<string> {
    ctx.signal.addEventListener('abort', () => work.aborted.push(name));
    await ctx.progress(1);
    await ctx.log(`${name} begins`, 'error');
    work.started.open();
    await Promise.race([
      work.end.promise,
      new Promise((resolve) => ctx.signal.addEventListener('abort', resolve)),
    ]);
    await ctx.log(`${name} ends`, 'info');
    return `${name} is done`;
  }

  @Action({ task: 'required' }) async later({ name }: Named, ctx: ToolContext): Promise<string> {
    await ctx.log(`${name} later`, 'error');
    return name;
  }

  @Resource('wiki://pages/{slug}') page(@Input() { slug }: Record<string, string>): string {
    return String(slug);
  }

  @Prompt() greet(): string {
    return 'Hello';
  }

  @Prompt() part(): string {
    return 'Goodbye';
  }
}

@Module({ controllers: [DeskTools], providers: [News] })
class DeskModule {}

const ends: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  work = { started: latch(), end: latch(), aborted: [] };
});

afterEach(async () => {
  work.end.open();
  for (const end of ends.splice(0).reverse()) await end();
});

/** What instances share unless a test says otherwise; a function makes another one for each test. */
export const shared: { backplane: () => Backplane } = { backplane: () => new SharedMemory() };

/** Three instances, until the test has ended. */
export async function openDesk(options: Partial<ReplicasOptions> = {}): Promise<Replicas> {
  const opened = await openReplicas(DeskModule, { backplane: shared.backplane(), ...options });
  ends.push(() => opened.close());
  return opened;
}

/** Answers all questions. */
export const PERSON: FeatureClientOptions = {
  onElicitation: () => ({ action: 'accept', content: { name: 'Ann' } }),
  onSampling: () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'said' } }),
};

export type Connect = (url: string, options?: FeatureClientOptions) => Promise<FeatureClient>;

/** A 2025 client. */
export const version1: Connect = (url, options = PERSON) =>
  kept(
    connectVersion1(
      new StreamableHTTPClientTransport(new URL(url), {
        reconnectionOptions: {
          initialReconnectionDelay: 20,
          maxReconnectionDelay: 100,
          reconnectionDelayGrowFactor: 1,
          maxRetries: 50,
        },
      }),
      options,
    ),
  );
export const version2 =
  (era: '2025' | '2026'): Connect =>
  (url, options = PERSON) =>
    kept(connectVersion2(new TransportOfVersion2(new URL(url)), era, options));

async function kept(connecting: Promise<FeatureClient>): Promise<FeatureClient> {
  const client = await connecting;
  ends.push(() => client.close());
  return client;
}

export const call = async (client: FeatureClient, action: string, args: object = {}): Promise<string> =>
  textOf((await client.callTool({ name: 'desk', arguments: { action, ...args } })) as never);

/** Of the instance with the index. */
export function notifierOf({ replicas }: Pick<Replicas, 'replicas'>, index: number): Notifier {
  const replica = replicas[index];
  if (replica === undefined) throw new Error('There is no such instance');
  return replica.app.get(News).notifier;
}

const [KNOCK, LAST] = ['wiki://pages/knock', 'wiki://pages/last'];

/**
 * Waits for the stream of a 2025 client, which opens it when it likes and is not sent what changed before. Nothing of
 * what it heard until then is left, or on its way.
 */
export async function untilItListens(client: FeatureClient, desk: Pick<Replicas, 'replicas'>): Promise<void> {
  const leave = await client.listen(KNOCK, LAST);
  const hasHeard = (uri: string): boolean => client.heard.some(({ params }) => params?.['uri'] === uri);
  const notifier = notifierOf(desk, 0);
  while (!hasHeard(KNOCK)) {
    notifier.resourceUpdated(KNOCK);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  notifier.resourceUpdated(LAST);
  await until(() => hasHeard(LAST));
  await leave();
  client.heard.splice(0);
}

/** Waits as long as the test may last: stores and the bus may be other processes. */
export async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
}
