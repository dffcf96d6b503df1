import { afterEach, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Module, Public, Roles, Scopes, ToolGroup } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { createAppWithCallers, type AppWithCallers } from '../../support/callers.ts';
import { post2026 } from '../../support/client-of-2026.ts';
import { TokenIssuer } from '../../support/token-issuer.ts';

class TaskRef {
  @IsString() id!: string;
}

const ran: string[] = [];

@ToolGroup('tasks')
@Scopes('tasks:read')
class Tasks {
  @Action() list(): string {
    return 'all';
  }
  @Action() @Scopes('tasks:write') remove(input: TaskRef): string {
    ran.push(input.id);
    return 'removed';
  }
  @Action() @Scopes(['tasks:archive', 'tasks:admin']) archive(): string {
    return 'archived';
  }
  @Action() @Roles('admin', { denied: 'refuse' }) purge(): string {
    return 'purged';
  }
  @Action() @Scopes('tasks:audit', { denied: 'refuse' }) audit(): string {
    return 'audited';
  }
  @Action() @Public() about(): string {
    return 'a server of tasks';
  }
}
@Module({ controllers: [Tasks] })
class AppModule {}

const A = { sub: 'a', scopes: ['tasks:read', 'openid'] };
const closing: AppWithCallers[] = [];

afterEach(async () => {
  ran.length = 0;
  for (const { app } of closing.splice(0)) await app.close();
});

async function started(
  ...given: Parameters<typeof createAppWithCallers> extends [unknown, ...infer R] ? R : never
) {
  const made = await createAppWithCallers(AppModule, ...given);
  closing.push(made);
  return made;
}

function remove(action = 'remove'): object {
  return { name: 'tasks', arguments: { action, ...(action === 'remove' ? { id: '1' } : {}) } };
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, { readonly code: string } & readonly string[]>>;
}

function codeOf(result: ToolResult): string | undefined {
  return result._meta?.['toolwright/error']?.code;
}

describe('a call without its scopes', () => {
  test('is answered with 403 and the scopes that it needs, by a later client added to its own', async () => {
    const app = await started();
    const { status, headers } = await app.ask(A, 'tools/call', remove());
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_scope", scope="tasks:read tasks:write", resource_metadata="http:\/\/[^"]+", error_description="[^"]+"$/,
    );
    expect(ran).toEqual([]);
  });

  test('names what is granted as well to clients up to 2025-11-25, which replace their scopes', async () => {
    const app = await started({ scopes: { implies: { 'tasks:admin': ['tasks:write'] } } });
    const caller = { sub: 'a', scopes: ['openid', 'tasks:read', 'tasks:archive'] };
    const { status, headers } = await app.callTool2025(caller, 'tasks', { action: 'remove', id: '1' });
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('scope="tasks:archive tasks:read tasks:write"');
  });

  test('names all of them at once where the caller has none, and the first of alternatives', async () => {
    const app = await started();
    const { headers } = await app.ask({ sub: 'a' }, 'tools/call', remove('archive'));
    expect(headers['www-authenticate']).toContain('scope="tasks:archive tasks:read"');
  });

  test('gets the same header each time, so that a client that got no more stops', async () => {
    const app = await started();
    const asked = [await app.ask(A, 'tools/call', remove()), await app.ask(A, 'tools/call', remove())];
    expect(asked[0]?.headers['www-authenticate']).toBe(asked[1]?.headers['www-authenticate']);
  });

  test('is 401 with a token that has expired: more scopes would not help', async () => {
    const issuer = await TokenIssuer.start();
    const app = await started({ verify: jwt({ issuer: issuer.url }) });
    const url = await app.url();
    const send = async (exp: number) => {
      const token = await issuer.sign({ aud: url, exp });
      return post2026(url, 'tools/call', remove(), { authorization: `Bearer ${token}` });
    };
    const now = Math.floor(Date.now() / 1000);
    const [expired, valid] = [await send(now - 60), await send(now + 60)];
    await issuer.close();
    expect(valid.status).toBe(403);
    expect(expired.status).toBe(401);
    expect(expired.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/);
  });

  test('runs with a scope that implies it', async () => {
    const app = await started({ scopes: { implies: { 'tasks:admin': ['tasks:write', 'tasks:read'] } } });
    const result = await app.result<ToolResult>(
      { sub: 'a', scopes: ['tasks:admin'] },
      'tools/call',
      remove(),
    );
    expect(result.isError).toBeUndefined();
    expect(ran).toEqual(['1']);
  });

  test('is an error of its own in a batch, with the challenge for hosts that read it there', async () => {
    const app = await started();
    const call = (id: number, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'tasks', arguments: args },
    });
    const { status, body: text } = await app.ask2025(A, [
      call(1, { action: 'list' }),
      call(2, { action: 'remove', id: '1' }),
    ]);
    expect(status).toBe(200);
    const answers = new Map(
      [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => {
        const { id, result } = JSON.parse(data) as { readonly id: number; readonly result: ToolResult };
        return [id, result] as const;
      }),
    );
    expect(answers.get(1)?.isError).toBeUndefined();
    expect(codeOf(answers.get(2)!)).toBe('INSUFFICIENT_SCOPE');
    expect(answers.get(2)?._meta?.['mcp/www_authenticate']?.[0]).toContain('error="insufficient_scope"');
  });

  test('is a result where the application wants challenges in results', async () => {
    const app = await started({ challenges: 'result' });
    const { status, body: text } = await app.ask(A, 'tools/call', remove());
    const { result } = JSON.parse(text) as { readonly result: ToolResult };
    expect(status).toBe(200);
    expect(result.isError).toBe(true);
    expect(codeOf(result)).toBe('INSUFFICIENT_SCOPE');
    expect(result._meta?.['mcp/www_authenticate']?.[0]).toMatch(/^Bearer error="insufficient_scope"/);
  });

  test('is an error of the tool for a program that acts for itself, and inside the process', async () => {
    const app = await started();
    const program = { clientId: 'robot', sub: 'robot', scopes: ['tasks:read'] };
    const { status, body: text } = await app.ask(program, 'tools/call', remove());
    expect(status).toBe(200);
    const { result } = JSON.parse(text) as { readonly result: ToolResult };
    expect(codeOf(result)).toBe('INSUFFICIENT_SCOPE');
    expect(result.content[0]?.text).toContain('tasks:read tasks:write');
    const authInfo = { token: 't', clientId: 'c', scopes: ['tasks:read'], extra: { sub: 'a' } };
    const local = (await app.app.call('tasks', { action: 'remove', id: '1' }, { authInfo })) as ToolResult;
    expect(codeOf(local)).toBe('INSUFFICIENT_SCOPE');
    expect(local.content[0]?.text).toMatch(/^\[tasks\/remove\] The call needs/);
    expect(local._meta).not.toHaveProperty('mcp/www_authenticate');
  });
});

describe('a call that no sign-in would help', () => {
  test('is refused in words, whether a role or a scope is missing, and never with 403', async () => {
    const app = await started();
    for (const [action, word] of [
      ['purge', 'the role admin'],
      ['audit', 'the scope tasks:audit'],
    ] as const) {
      const result = await app.result<ToolResult>(A, 'tools/call', remove(action));
      expect(codeOf(result)).toBe('FORBIDDEN');
      expect(result.content[0]?.text).toContain(`[tasks/${action}] The call needs ${word}`);
    }
  });
});

describe('a caller without a token', () => {
  test('may list and call what is public, and is asked to sign in for anything else, known or not', async () => {
    const app = await started({ scopesSupported: ['tasks:read'] });
    const { tools } = await app.result<{ tools: { inputSchema: object }[] }>(undefined, 'tools/list');
    expect(JSON.stringify(tools)).toContain('about');
    expect(JSON.stringify(tools)).not.toMatch(/remove|archive|list the/);
    expect((await app.ask(undefined, 'tools/call', remove('about'))).status).toBe(200);
    const answers = [];
    for (const call of [remove(), remove('nothing'), { name: 'unknown', arguments: {} }]) {
      const { status, headers, body: text } = await app.ask(undefined, 'tools/call', call);
      answers.push({ status, header: headers['www-authenticate'], text });
    }
    expect(answers[0]).toMatchObject({ status: 401 });
    expect(answers[0]?.header).toMatch(/^Bearer scope="tasks:read", resource_metadata="/);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('is anonymous inside the process, unless that is trusted', async () => {
    const app = await started();
    const hidden = (await app.app.call('tasks', { action: 'list' })) as ToolResult;
    expect(codeOf(hidden)).toBe('UNKNOWN_ACTION');
    expect((await app.app.call('tasks', { action: 'about' })).isError).toBeUndefined();
    const trusted = await started({ local: 'trusted' });
    expect((await trusted.app.call('tasks', { action: 'remove', id: '7' })).isError).toBeUndefined();
    expect((await trusted.app.call('tasks', { action: 'purge' })).isError).toBeUndefined();
    expect(ran).toEqual(['7']);
  });
});
