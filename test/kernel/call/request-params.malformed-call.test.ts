import { expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

@ToolGroup('notes')
class NotesTools {
  @Action()
  list(): string {
    return 'none';
  }

  @Action()
  broken(): unknown {
    return { content: [{ type: 'text', text: 'x' }], structuredContent: { id: 1n } };
  }
}

@Module({ controllers: [NotesTools] })
class NotesModule {}

interface Answer {
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends calls that the SDK's own client would not send. */
async function answersTo(calls: readonly object[]): Promise<readonly Answer[]> {
  const app = await McpApplication.create(NotesModule);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await app.connect(far);
  const answers: Answer[] = [];
  const all = new Promise<void>((resolve) => {
    near.onmessage = (message: unknown) => {
      answers.push(message as Answer);
      if (answers.length === calls.length) resolve();
    };
  });
  await near.start();
  for (const [id, params] of calls.entries()) {
    await near.send({ jsonrpc: '2.0', id, method: 'tools/call', params } as JSONRPCMessage);
  }
  await all;
  await app.close();
  return answers;
}

test('a call whose arguments are no object gets an answer that says so', async () => {
  const answers = await answersTo([
    { name: 'notes', arguments: 'x' },
    { name: 'notes', arguments: [] },
    { name: 'notes', arguments: { action: 'list' } },
  ]);
  for (const { result } of answers.slice(0, 2)) {
    expect(result?.isError).toBe(true);
    expect(result?.content[0]?.text).toMatch(/^Arguments must be an object\n/);
  }
  expect(answers[2]?.result?.content[0]?.text).toBe('none');
});

test('a call without a name that is a string is refused in one sentence', async () => {
  const answers = await answersTo([{ arguments: {} }, { name: 7 }]);
  for (const { error } of answers) {
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain('name');
    expect(error?.message).not.toContain('{');
  }
});

test('a result that JSON cannot carry is an error result, and not silence', async () => {
  const [answer] = await answersTo([{ name: 'notes', arguments: { action: 'broken' } }]);
  expect(answer?.result?.isError).toBe(true);
  expect(answer?.result?.content[0]?.text).toMatch(/^\[notes\/broken\] .*BigInt/);
});
