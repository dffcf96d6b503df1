import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CommandFolder } from '../../support/command-line.ts';
import { TOKEN_SERVER } from '../../support/token-server.ts';

const SUITE = `
import { defineEvals } from 'toolwright/evals';
export default defineEvals({
  entry: './server.ts',
  cases: [{ name: 'what there is', ask: 'What is left?', expect: [{ action: 'tasks.list' }] }],
});
`;

let folder: CommandFolder;
beforeAll(() => {
  folder = new CommandFolder({ 'server.ts': TOKEN_SERVER, 'tasks.eval.ts': SUITE });
});
afterAll(() => {
  folder.remove();
});

test('finds cases in TypeScript, makes the expected calls on all surfaces, and writes what came of them', async () => {
  const { exitCode, stderr } = await folder.run([
    'eval',
    '--surface',
    'all',
    '--format',
    'jsonl',
    '-o',
    'out.jsonl',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('Wrote out.jsonl.') });
  const lines = readFileSync(join(folder.path, 'out.jsonl'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(10);
});

test('a handler is called by the caller of auth.local, with the rights of this caller', async () => {
  folder.write(
    'callers/server.ts',
    `import { Action, Ctx, McpApplication, Module, Roles, ToolContext, ToolGroup } from 'toolwright';
@ToolGroup('desk')
class Desk {
  @Action('Who calls') who(@Ctx() ctx: ToolContext) {
    if (ctx.caller?.sub !== 'lee') throw new Error('nobody calls');
    return ctx.caller.sub;
  }
  @Action('Close the desk') @Roles('lead', { denied: 'refuse' }) close() {
    return 'closed';
  }
}
@Module({ controllers: [Desk] }) class DeskModule {}
const lee = { token: 'none', clientId: 'evals', scopes: [], extra: { sub: 'lee' } };
const verify = { verify: () => undefined };
const app = await McpApplication.create(DeskModule, { name: 'desk', auth: { local: () => lee, verify } });
await app.stdio();
`,
  );
  const cases = [
    { name: 'who', ask: 'Who am I?', expect: [{ action: 'desk.who' }] },
    { name: 'close', ask: 'Close it', expect: [{ action: 'desk.close' }] },
  ];
  folder.write('callers/desk.eval.json', JSON.stringify({ entry: './server.ts', cases }));
  const { exitCode, stdout } = await folder.run(['eval', 'callers/desk.eval.json', '-o', 'made/here.txt']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  const written = readFileSync(join(folder.path, 'made/here.txt'), 'utf8');
  expect(written).toMatch(/^cases that can be done +1\/2$/m);
  expect(written).toContain('failed  own: close: desk.close was called and failed: FORBIDDEN.');
});

test('drafts a file of cases that it reads, and ends with 1 where one cannot be done', async () => {
  const drafted = await folder.run(['eval', 'init', 'server.ts', '-o', 'evals/tasks.eval.yaml']);
  expect(drafted).toMatchObject({ exitCode: 0 });
  const path = 'evals/tasks.eval.yaml';
  const text = readFileSync(join(folder.path, path), 'utf8');
  expect(text).toContain('entry: ../server.ts');
  folder.write(path, text.replace('expect: none', 'expect: [{ action: tasks.create }]'));
  const { exitCode, stdout } = await folder.run(['eval', path, '--format', 'junit']);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('failures="1"');
});

test('records the answers of a model on all surfaces, in place of those of an earlier run', async () => {
  const message = { role: 'assistant', content: 'I would rather not.' };
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ message }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const OPENAI_BASE_URL = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const all = ['eval', 'tasks.eval.ts', '--surface', 'all', '--min', '0', '--model'];
  folder.write('evals.recorded.jsonl', '{"of":"an earlier run"}\n');
  const live = await folder.run([...all, 'live:openai/shy', '--record'], { OPENAI_BASE_URL });
  expect(live.exitCode).toBe(0);
  server.close();
  const lines = readFileSync(join(folder.path, 'evals.recorded.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { model: string }).model)).toEqual(
    Array(5).fill('openai/shy'),
  );
  expect(await folder.run([...all, 'recorded'])).toMatchObject({ exitCode: 0 });
});
