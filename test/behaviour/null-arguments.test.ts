import { expect, test } from '@jest/globals';
import { CallToolResultSchema, GetPromptResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Action, Input, Module, Prompt, Resource, ToolGroup } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';

@ToolGroup({ name: 'clock', expose: 'flat' })
class Clock {
  @Action() now(): string {
    return 'noon';
  }
  @Prompt() greet(): string {
    return 'hello';
  }
  @Resource('docs://search{?q}') search(@Input() { q }: Record<string, string>): string {
    return `found ${String(q)}`;
  }
}

@Module({ controllers: [Clock] })
class ClockModule {}

test('null in the place of arguments means none, and unknown parameters in the query of a resource count for nothing', async () => {
  const app = await createTestApplication(ClockModule);
  const client = await app.client();
  const called = { method: 'tools/call', params: { name: 'clock_now', arguments: null as never } } as const;
  expect(await client.request(called, CallToolResultSchema)).toMatchObject({ content: [{ text: 'noon' }] });
  const asked = { method: 'prompts/get', params: { name: 'greet', arguments: null as never } } as const;
  expect(await client.request(asked, GetPromptResultSchema)).toMatchObject({
    messages: [{ content: { text: 'hello' } }],
  });
  const { contents } = await client.readResource({ uri: 'docs://search?q=tea&utm=mail' });
  expect(contents).toMatchObject([{ text: 'found tea' }]);
  await app.close();
});
