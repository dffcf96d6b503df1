import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { LineProcess, WITH_PACKAGE } from '../../support/line-process.ts';
import { documentOf } from '../storage/documents.ts';
import { makeDirectory } from '../storage/files/workflow-directory.ts';
import { requestText } from './rpc-client.ts';

const SCRIPT = fileURLToPath(new URL('./serve-workflows.ts', import.meta.url));

async function serve(): Promise<LineProcess> {
  const directory = await makeDirectory({ 'one.json': documentOf('one'), 'bad.json': '{' });
  return new LineProcess({ args: [...WITH_PACKAGE, SCRIPT, directory] });
}

describe('a process that serves workflows', () => {
  test('answers on stdout and ends after shutdown', async () => {
    const server = await serve();
    server.write(requestText(1), '{', requestText(2, 'shutdown'));
    expect(await server.answer(1)).toMatchObject({ result: { workflows: [{ id: 'one' }] } });
    expect(await server.answer(2)).toMatchObject({ result: null });
    expect(await server.ended).toBe(0);
    expect(server.stdout.length).toBe(3);
  });

  test('ends when its input does', async () => {
    const server = await serve();
    server.end(requestText(1));
    expect(await server.ended).toBe(0);
    expect(server.stdout.length).toBe(1);
  });

  test('ends quietly when its answers are not read', async () => {
    const server = await serve();
    server.write(requestText(1));
    await server.answer(1);
    server.closeStdout();
    server.write(requestText(2), requestText(3));
    expect(await server.ended).toBe(0);
    expect(server.stderr).toEqual(['ended']);
  });
});
