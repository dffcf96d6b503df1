import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Module, ToolContext, ToolGroup } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { connectFetch, envelope, client2026, headers2026, message2026 } from '../support/client-of-2026.ts';
import { JSON_HEADERS } from '../support/raw-http.ts';

class Name {
  @IsString() name!: string;
}

@ToolGroup({ name: 'mail', expose: 'flat', prefix: '' })
class MailTools {
  @Action({ name: 'send', version: '1.0.0', task: true })
  sendFirst(ctx: ToolContext): Promise<string> {
    return this.#ask(ctx, 'first');
  }

  @Action({ name: 'send', version: '2.0.0' })
  send(ctx: ToolContext): Promise<string> {
    return this.#ask(ctx, 'second');
  }

  async #ask(ctx: ToolContext, version: string): Promise<string> {
    const answer = await ctx.ask(Name, 'Who?');
    return `${version} ${answer.action === 'accept' ? answer.content.name : ''}`;
  }
}

@Module({ controllers: [MailTools] })
class MailModule {}

let app: TestApplication;
beforeEach(async () => {
  app = await createTestApplication(MailModule, { logger: new MemoryLogger() });
});
afterEach(() => app.close());

const versions = (range: string) => ({ 'toolwright/versions': { send: range } });
const TASKS = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const ASKING = { elicitation: { form: {} } };

async function send(capabilities: object, meta: Record<string, unknown>, others: object = {}) {
  const params = { name: 'send', ...others, _meta: envelope(capabilities, meta) };
  const headers = { ...JSON_HEADERS, ...headers2026('tools/call', 'send') };
  const body = JSON.stringify(message2026('tools/call', params));
  const response = await app.app.fetch(
    new Request('http://localhost/mcp', { method: 'POST', headers, body }),
  );
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
  return JSON.parse(json) as { result?: Record<string, unknown>; error?: { message: string } };
}

test('The version that a client asked for goes on with its answers', async () => {
  const client = client2026({ capabilities: ASKING });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  await connectFetch(client, app.app.fetch);
  const first = await client.callTool({ name: 'send', _meta: versions('^1') });
  expect(first).toMatchObject({ content: [{ text: 'first Ada' }], _meta: { 'toolwright/version': '1.0.0' } });
  const second = await client.callTool({ name: 'send' });
  expect(second).toMatchObject({
    content: [{ text: 'second Ada' }],
    _meta: { 'toolwright/version': '2.0.0' },
  });
  await client.close();
});

test('Answers do not go to another version than the one that asked', async () => {
  const asked = (await send(ASKING, versions('^1'))).result;
  const { requestState, inputRequests } = asked as { requestState: string; inputRequests: object };
  const [question = ''] = Object.keys(inputRequests);
  const inputResponses = { [question]: { action: 'accept', content: { name: 'Ada' } } };
  const other = await send(ASKING, {}, { requestState, inputResponses });
  expect(other.error?.message).toMatch(/requestState/);
  const same = await send(ASKING, versions('^1'), { requestState, inputResponses });
  expect(same.result).toMatchObject({ content: [{ text: 'first Ada' }] });
});

test('A call becomes a task where the version that it asks for does', async () => {
  expect((await send(TASKS, versions('^1'))).result).toMatchObject({ resultType: 'task' });
  expect((await send(TASKS, {})).result).toMatchObject({ resultType: 'input_required' });
});
