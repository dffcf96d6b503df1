import { afterEach, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ToolError, ToolGroup, type CallToolResult } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';

let app: McpApplication;

@ToolGroup({ name: 'desk' })
class Desk {
  @Action('Gives data') data(): object {
    return { total: 3 };
  }

  @Action('Passes a result on') pass(): Promise<CallToolResult> {
    return app.call('desk', { action: 'data' });
  }

  @Action({ description: 'Passes a result on in place of what it declares', output: { type: 'object' } })
  declared(): Promise<CallToolResult> {
    return app.call('desk', { action: 'data' });
  }

  @Action('Throws what cannot be reported') async untold(): Promise<never> {
    await Promise.resolve();
    throw new ToolError('NOT_FOUND', 'gone', { availableActions: 'abc' as never });
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

afterEach(() => app.close());

const call = async (action: string): Promise<CallToolResult> => {
  app = await McpApplication.create(DeskModule, { name: 'desk', logger: new MemoryLogger() });
  return app.call('desk', { action });
};

test('a handler may give the result of another call, which is its own then', async () => {
  expect(textOf(await call('pass'))).toBe('{\n  "total": 3\n}');
});

test('the result of a call in the process is plain and frozen, whatever the handler gave', async () => {
  const result = await call('data');
  expect(result).toStrictEqual({ content: [{ type: 'text', text: '{\n  "total": 3\n}' }] });
  expect([result, result.content, result.content[0]].every(Object.isFrozen)).toBe(true);
});

test('a result without structured content does not stand for a declared output', async () => {
  const result = await call('declared');
  expect(factsOf(result)).toMatchObject({ code: 'INVALID_OUTPUT' });
});

test('a call never rejects, even if what was thrown breaks every attempt to report it', async () => {
  const result = await call('untold');
  expect(result.isError).toBe(true);
  expect(factsOf(result)).toMatchObject({ code: 'INTERNAL_ERROR' });
});
