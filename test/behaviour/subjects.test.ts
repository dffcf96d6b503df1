import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import {
  Action,
  Budget,
  Destructive,
  Idempotent,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  type AuthInfo,
} from 'toolwright';
import { MemoryLogger } from '../support/memory-logger.ts';
import { filledIn, TaskRequests, type TaskAnswer } from '../support/task-requests.ts';

class Item {
  @IsInt() id!: number;
}
class Sure {
  @IsString() reason!: string;
}

const removed: number[] = [];

@ToolGroup('own')
class Own {
  @Action({ task: true }) wait(): string {
    return 'waited';
  }
  @Action() async ask({ id }: Item, ctx: ToolContext): Promise<string> {
    const { action } = await ctx.ask(Sure, `Sure of ${String(id)}?`, { name: 'sure' });
    return `answered with ${action}`;
  }
  @Action() @Budget({ bytes: 2048 }) large(): string {
    return 'x'.repeat(5000);
  }
  @Action() @Idempotent({ key: 'idempotencyKey' }) pay({ id }: Item): string {
    return `paid ${String(id)}`;
  }
  @Action() @Destructive({ confirm: 'twice' }) remove({ id }: Item): string {
    removed.push(id);
    return 'removed';
  }
}
@Module({ controllers: [Own] })
class OwnModule {}

type Members = Readonly<Record<string, string>>;
const A = { clientId: 'desk', issuer: 'https://a.example', sub: 'ada', tenant: 'acme' };

/** Verifies the tokens of this test, which nobody has signed. */
const verify = (token: string): AuthInfo => {
  const { clientId = '', ...extra } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Members;
  return { token, clientId, scopes: [], extra };
};

let app: McpApplication;
let mine: TaskRequests;
beforeAll(async () => {
  app = await McpApplication.create(OwnModule, {
    logger: new MemoryLogger(),
    auth: { resource: 'https://mcp.example/mcp', verify: { verify }, default: 'public' },
  });
  mine = clientOf(A);
});
afterAll(() => app.close());

function clientOf(caller: Members | undefined): TaskRequests {
  return new TaskRequests((request) => {
    if (caller !== undefined) {
      const token = Buffer.from(JSON.stringify(caller)).toString('base64url');
      request.headers.set('authorization', `Bearer ${token}`);
    }
    return app.fetch(request);
  });
}

const call = (
  client: TaskRequests,
  action: string,
  args: object = {},
  more: object = {},
): Promise<TaskAnswer> => client.send('tools/call', { name: 'own', arguments: { action, ...args }, ...more });
const read = (client: TaskRequests, uri: string): Promise<TaskAnswer> =>
  client.send('resources/read', { uri }, { 'mcp-name': uri });
/** What does not depend on the name that was asked for. */
const without = (name: string, { error }: TaskAnswer): string => JSON.stringify(error).replaceAll(name, '…');

const answers = { inputResponses: { sure: filledIn({ reason: 'because' }) } };

describe.each<readonly [string, Members | undefined]>([
  ['another issuer', { ...A, issuer: 'https://b.example' }],
  ['another client', { ...A, clientId: 'phone' }],
  ['another person', { ...A, sub: 'bob' }],
  ['another tenant', { ...A, tenant: 'globex' }],
  ['no person', { clientId: A.clientId, issuer: A.issuer, tenant: A.tenant }],
  ['no tenant', { clientId: A.clientId, issuer: A.issuer, sub: A.sub }],
  ['no token', undefined],
])('for a caller with %s', (_what, caller) => {
  let theirs: TaskRequests;
  beforeAll(() => {
    theirs = clientOf(caller);
  });

  test('a task is unknown, and goes on for its subject', async () => {
    const taskId = await mine.begin('own', { action: 'wait' });
    const unknown = randomUUID();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const [found, nothing] = [
        await theirs.send(method, { taskId, inputResponses: {} }),
        await theirs.send(method, { taskId: unknown, inputResponses: {} }),
      ];
      expect(found.error?.message).toContain('Task not found');
      expect(without(taskId, found)).toBe(without(unknown, nothing));
    }
    expect(await mine.end(taskId)).toMatchObject({ status: 'completed' });
  });

  test('a requestState is invalid, and counts for its subject', async () => {
    const { result } = await call(mine, 'ask', { id: 1 });
    const more = { requestState: result?.['requestState'], ...answers };
    expect((await call(theirs, 'ask', { id: 1 }, more)).error?.message).toContain('Invalid requestState');
    expect(JSON.stringify(await call(mine, 'ask', { id: 1 }, more))).toContain('answered with accept');
  });

  test('a stored result is unknown, and is read by its subject', async () => {
    const { result } = await call(mine, 'large');
    const uri = /toolwright:\/\/results\/[\w.-]+/.exec(JSON.stringify(result))?.[0] ?? '';
    const nowhere = 'toolwright://results/unknown';
    expect(without(uri, await read(theirs, uri))).toBe(without(nowhere, await read(theirs, nowhere)));
    expect((await read(theirs, uri)).error?.message).toContain('Resource not found');
    expect((await read(mine, uri)).result).toMatchObject({ contents: [{ uri }] });
  });

  test('a key is another one, whose calls run by themselves', async () => {
    const idempotencyKey = randomUUID();
    await call(mine, 'pay', { id: 1, idempotencyKey });
    const other = await call(theirs, 'pay', { id: 2, idempotencyKey });
    expect(other.result).toMatchObject({ content: [{ text: 'paid 2' }] });
    expect(other.result?.['_meta'] ?? {}).not.toHaveProperty('toolwright/idempotency');
    const again = await call(mine, 'pay', { id: 1, idempotencyKey });
    expect(again.result?.['_meta']).toMatchObject({ 'toolwright/idempotency': { replayed: true } });
  });

  test('a confirmation confirms nothing, and counts for its subject', async () => {
    removed.length = 0;
    const { result } = await call(mine, 'remove', { id: 1 });
    const confirmation = /"confirmation":"([^"]+)"/.exec(JSON.stringify(result?.['_meta']))?.[1];
    const refused = await call(theirs, 'remove', { id: 1, confirmation });
    expect(JSON.stringify(refused.result)).toContain('CONSENT_REQUIRED');
    expect(removed).toEqual([]);
    await call(mine, 'remove', { id: 1, confirmation });
    expect(removed).toEqual([1]);
  });
});
