import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
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
