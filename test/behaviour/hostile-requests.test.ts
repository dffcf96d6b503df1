import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import { Action, Complete, McpApplication, Module, Prompt, ToolContext, ToolGroup } from 'toolwright';
import { post2026 } from '../support/client-of-2026.ts';
import { message, send } from '../support/raw-http.ts';

class Letter {
  @IsOptional() @IsString() to?: string;
}

@ToolGroup('desk')
class Desk {
  @Action('Asks') async ask(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Letter, 'Whom?')).action;
  }
  @Prompt('Writes') write(_input: Letter): string {
    return 'done';
  }
  @Complete('write', 'to') complete(): string[] {
    return ['you'];
  }
}
@Module({ controllers: [Desk] })
class DeskModule {}

let app: McpApplication;
let url: string;
beforeAll(async () => {
  app = await McpApplication.create(DeskModule, { limits: { argumentNodes: 20 } });
  ({ url } = await app.listen({ port: 0, signals: false }));
});
afterAll(() => app.close());

const members = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${String(index)}`, value]));
const ask2026 = async (method: string, params: object): Promise<string> =>
  (await post2026(url, method, params)).body;

test('arguments of a prompt are as many as those of a tool', async () => {
  const get = (count: number) => ask2026('prompts/get', { name: 'write', arguments: members(count, 'x') });
  expect(await get(20)).toContain('unknown field');
  expect(await get(21)).toContain('arguments must have at most 20 values');
});

test('so are those that are resolved where one is completed', async () => {
  const ref = { type: 'ref/prompt', name: 'write' };
  const argument = { name: 'to', value: 'y' };
  const complete = (count: number) =>
    ask2026('completion/complete', { ref, argument, context: { arguments: members(count, 'x') } });
  expect(await complete(20)).toContain('"you"');
  expect(await complete(21)).toContain('context.arguments must have at most 20 values');
});

test('answers of a client consist of at most 10,000 values', async () => {
  const answer = (count: number) =>
    ask2026('tools/call', {
      name: 'desk',
      arguments: { action: 'ask' },
      inputResponses: members(count, {}),
    });
  expect(await answer(10_000)).not.toContain('10000 values');
  expect(await answer(10_001)).toContain('inputResponses must have at most 10000 values');
});

test('a client that introduces itself at length is refused before it is read', async () => {
  const introduce = async (count: number): Promise<string> => {
    const clientInfo = { name: 'a', version: '1' };
    const capabilities = { ...members(count, 1), ...(count > 1 ? { roots: 1 } : {}) };
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
    return (await send(url, { body: message('initialize', params) })).body;
  };
  expect(await introduce(1)).toContain('"result"');
  expect(await introduce(40_000)).toContain('65536 characters together at most');
});
