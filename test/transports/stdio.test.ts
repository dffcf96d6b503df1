import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { message } from '../support/raw-http.ts';
import { STDIO_SERVER, StdioProcess } from '../support/stdio-process.ts';

const processes: StdioProcess[] = [];

afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
});

function start(...args: readonly string[]): StdioProcess {
  const server = new StdioProcess(...args);
  processes.push(server);
  return server;
}

const call = (name: string, id: number | string, args = {}) =>
  message('tools/call', { name, arguments: args }, id);

describe('a client of the SDK', () => {
  test('lists, calls and receives logs, and is not disturbed by prints of user code', async () => {
    const transport = new StdioClientTransport({
      ...STDIO_SERVER,
      args: [...STDIO_SERVER.args],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'tester', version: '1.0.0' });
    const errors: unknown[] = [];
    client.onerror = (error) => void errors.push(error);
    let printed = '';
    transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await client.connect(transport);
    const logs: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));

    expect((await client.listTools()).tools).toContainEqual(expect.objectContaining({ name: 'echo' }));
    expect(await client.callTool({ name: 'chatty' })).toMatchObject({ content: [{ text: 'chatted' }] });
    await client.callTool({ name: 'progress' });
    const large = await client.callTool({ name: 'large' });
    expect((large.content as { text: string }[])[0]?.text).toHaveLength(3 * 1024 * 1024);
    await client.close();

    expect(logs).toEqual([{ level: 'info', data: 'half way', logger: 'fixture' }]);
    expect(printed).toContain('printed right after start\n');
    expect(printed).toContain('a line of console.log\nraw text');
    expect(errors).toEqual([]);
  });

  test('survives the answer to an unreadable line', async () => {
    const transport = new StdioClientTransport({
      ...STDIO_SERVER,
      args: [...STDIO_SERVER.args],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'tester', version: '1.0.0' });
    const reported = new Promise((resolve) => (client.onerror = resolve));
    await client.connect(transport);
    // The transport offers no way to send anything but messages.
    (transport as unknown as { _process: { stdin: { write(text: string): void } } })._process.stdin.write(
      '{oops\n',
    );
    await reported;
    expect((await client.listTools()).tools).not.toHaveLength(0);
    await client.close();
  });
});

// By hand: when both arrive at once, the SDK's client drops its progress callback before it calls it.
test('sends the progress of a call before its answer', async () => {
  const server = start();
  server.write(message('tools/call', { name: 'progress', _meta: { progressToken: 'p' } }, 1));
  await server.answer(1);
  expect(server.stdout.map((line) => (JSON.parse(line) as { method?: string }).method)).toEqual([
    'notifications/progress',
    'notifications/message',
    undefined,
  ]);
});

describe('bad input', () => {
  test('is answered line by line, and serving goes on', async () => {
    const server = start();
    server.write(
      'not json',
      Uint8Array.of(0x7b, 0xff, 0x7d),
      '',
      '   \r',
      '[]',
      `[${message('ping')}]`,
      '42',
      '{"jsonrpc":"2.0","id":"own","method":7}',
      '{"jsonrpc":"2.0","id":"more","method":"ping","stranger":true}',
      '['.repeat(100_000),
      `{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"${'y'.repeat(2 * 1024 * 1024)}"}}`,
      `${call('echo', 'crlf', { a: 'ä€😀' })}\r`,
    );
    expect(await server.answer('crlf')).toMatchObject({ result: { content: [{ text: '{"a":"ä€😀"}' }] } });
    const answers = server.stdout.map(
      (line) => JSON.parse(line) as { id: unknown; error?: { code: number; message: string } },
    );
    expect(answers.slice(0, -1).map(({ id, error }) => [id, error?.code, error?.message])).toEqual([
      [null, -32700, expect.stringMatching(/^Parse error: .*JSON/)],
      [null, -32700, expect.stringContaining('UTF-8')],
      [null, -32600, expect.stringContaining('batch is empty')],
      [null, -32600, expect.stringContaining('batches are not supported')],
      [null, -32600, expect.stringContaining('must be an object')],
      ['own', -32600, expect.stringContaining('method must be a string')],
      ['more', -32600, expect.stringContaining('"stranger"')],
      [null, -32600, expect.stringContaining('nested deeper')],
      [null, -32600, expect.stringContaining('larger than 1048576 bytes')],
    ]);
  });

  test('includes results that JSON cannot carry: their request is answered', async () => {
    const server = start();
    server.write(call('circular', 5), call('echo', 6));
    expect(await server.answer(5)).toHaveProperty('error.code');
    expect(await server.answer(6)).toHaveProperty('result');
  });
});

describe('the end of stdin', () => {
  test('lets running calls answer, reads a last line without its newline, and ends the process', async () => {
    const server = start();
    server.write(call('soon', 1));
    server.end(call('echo', 2));
    expect(await server.ended).toBe(0);
    expect(await server.answer(1)).toMatchObject({
      result: { content: [{ text: expect.stringContaining('after') }] },
    });
    expect(await server.answer(2)).toHaveProperty('result');
    expect(server.stderr).toContain('printed after the client ended it');
    expect(server.stdout).toHaveLength(2);
  });

  test('does not wait forever for a call that hangs', async () => {
    const server = start();
    server.write(call('hang', 1));
    await server.line('stderr', 'hanging');
    server.end();
    expect(await server.ended).toBe(0);
    expect(server.stderr).toEqual(expect.arrayContaining(['aborted', 'serving has ended']));
  });

  test('does not wait for a call that the client cancelled', async () => {
    const server = start('--patient');
    server.write(call('hang', 1));
    await server.line('stderr', 'hanging');
    server.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    await server.line('stderr', 'aborted');
    server.end();
    expect(await server.ended).toBe(0);
  });

  test('is also assumed when the client stops reading', async () => {
    const server = start();
    server.write(call('echo', 1));
    await server.answer(1);
    server.closeStdout();
    server.write(call('large', 2), call('large', 3));
    await server.line('stderr', 'serving has ended');
    expect(await server.ended).toBe(0);
  });
});

describe('signals', () => {
  test.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 0],
  ] as const)('shut down once on %s and end the process with %s', async (signal, end) => {
    const server = start();
    server.write(call('echo', 1));
    await server.answer(1);
    server.kill(signal);
    expect(await server.ended).toBe(end);
    expect(server.stderr).toContain(`shutting down on ${signal}`);
    expect(server.stderr).toContain('serving has ended');
  });

  test('end the process at once when a second one comes', async () => {
    const server = start('--hang-on-shutdown');
    server.write(call('echo', 1));
    await server.answer(1);
    server.kill('SIGTERM');
    await server.line('stderr', 'shutting down on SIGTERM');
    server.kill('SIGINT');
    expect(await server.ended).toBe(130);
  });
});
