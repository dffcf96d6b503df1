import { PassThrough, Writable, Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import { WorkflowService } from '../../../src/workflow/application/workflow-service.ts';
import { WorkflowRpcServer, StreamLogger, readLines } from '../../../src/workflow/rpc/workflow-rpc-server.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { documentOf } from '../storage/documents.ts';
import { requestText, RpcClient, storageOfTests } from './rpc-client.ts';
import { tries } from '../../support/thorough.ts';

const MIB = 1_048_576;

function failure(code: number, id: unknown = null): unknown {
  return expect.objectContaining({ jsonrpc: '2.0', id, error: expect.objectContaining({ code }) });
}

function success(id: unknown): unknown {
  return expect.objectContaining({ jsonrpc: '2.0', id, result: expect.anything() });
}

/** A request of exactly this many bytes. */
function requestOf(id: number, size: number): string {
  const text = requestText(id);
  return text + ' '.repeat(size - text.length);
}

describe('lines', () => {
  test('are answered in their order, with the ids of the requests', async () => {
    const ids = [1, 'two', null, 0, -3.5, ''];
    const answers = await new RpcClient().answersTo(ids.map((id) => `${requestText(id)}\n`).join(''));
    expect(answers).toEqual(ids.map(success));
  });

  test('may end with CRLF, be blank, or lack their end at the end', async () => {
    const answers = await new RpcClient().answersTo(`\r\n\n \t\n${requestText(1)}\r\n\n${requestText(2)}`);
    expect(answers).toEqual([success(1), success(2)]);
  });

  test('that are no JSON are parse errors, and nothing more', async () => {
    const notUtf8 = Buffer.from([0x22, 0xff, 0x22, 0x0a]);
    const answers = await new RpcClient().answersTo('{"a":\n', notUtf8, `${requestText(1)}\n`);
    expect(answers).toEqual([failure(-32700), failure(-32700), success(1)]);
  });

  test('have up to 1 MiB, in bytes', async () => {
    for (const end of ['\n', '\r\n']) {
      const answers = await new RpcClient().answersTo(requestOf(1, MIB) + end, requestOf(2, MIB + 1) + end);
      expect(answers).toEqual([success(1), failure(-32600)]);
    }
    const wide = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'é'.repeat(MIB / 2) });
    expect(wide.length).toBeLessThan(MIB);
    expect(await new RpcClient().answersTo(wide)).toEqual([failure(-32600)]);
  });

  test('that are longer are answered once and skipped', async () => {
    const client = new RpcClient();
    const piece = 'x'.repeat(MIB);
    expect(await client.answersTo(piece, piece, piece, `\n${requestText(1)}\n`)).toEqual([
      failure(-32600),
      success(1),
    ]);
  });

  test('may nest as deep as they like', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await new RpcClient().answersTo(`${deep}\n${requestText(1)}\n`)).toEqual([
      [failure(-32600)],
      success(1),
    ]);
  });

  test('give the same answers however the bytes come', async () => {
    const lines = `${requestText('é😀')}\r\n{"a\n\n[${requestText(1)},1]\n${requestText(2, 'nope')}`;
    const bytes = Buffer.from(lines);
    const whole = await new RpcClient().answersTo(bytes);
    expect(whole.length).toBe(4);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        const ends = [...cuts, bytes.length].sort((left, right) => left - right);
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(await new RpcClient().answersTo(...pieces)).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });
});

describe('messages', () => {
  test.each([
    ['1', null],
    ['"text"', null],
    ['{}', null],
    ['{"jsonrpc":"1.0","method":"workflow_list","id":5}', 5],
    ['{"jsonrpc":"2.0","method":1,"id":"a"}', 'a'],
    ['{"jsonrpc":"2.0","method":"workflow_list","params":"bar","id":5}', 5],
    ['{"jsonrpc":"2.0","method":"workflow_list","params":null,"id":5}', 5],
    ['{"jsonrpc":"2.0","method":"workflow_list","id":{}}', null],
    ['{"jsonrpc":"2.0","method":"workflow_list","id":true}', null],
    ['{"jsonrpc":"2.0","method":"workflow_list","id":12345678901234567890}', null],
    ['{"jsonrpc":"2.0","method":"workflow_list","id":1e999}', null],
    ['{"method":"workflow_list"}', null],
  ])('that are not requests get an error: %s', async (line, id) => {
    expect(await new RpcClient().answersTo(line)).toEqual([failure(-32600, id)]);
  });

  test('without id are not answered, whatever comes of them', async () => {
    const lines = ['workflow_list', 'workflow_get', 'nope'].map((method) => requestText(undefined, method));
    expect(await new RpcClient().answersTo([...lines, requestText(1)].join('\n'))).toEqual([success(1)]);
  });

  test('in a batch are answered together', async () => {
    const note = requestText(undefined);
    const batch = `[${requestText(1)},${note},7,${requestText(2, 'nope')}]`;
    const answers = await new RpcClient().answersTo(`${batch}\n[]\n[${note}]\n[1]\n`);
    expect(answers).toEqual([
      [success(1), failure(-32600), failure(-32601, 2)],
      failure(-32600),
      [failure(-32600)],
    ]);
  });

  test('in a batch of more than a thousand are refused together', async () => {
    const batch = JSON.stringify(Array.from({ length: 1001 }, () => 1));
    expect(await new RpcClient().answersTo(batch)).toEqual([failure(-32600)]);
  });

  test('in a batch have answers of 32 MiB together at most, and the others are refused', async () => {
    const step = { title: 'Long', prompt: 'x'.repeat(2000) };
    const steps = Array.from({ length: 440 }, (_, index) => ({ id: `step-${String(index)}`, ...step }));
    const large = { ...documentOf('large'), steps };
    let reads = 0;
    const storage: WorkflowStorage = {
      loadAll: async () => [],
      listSummaries: async () => [],
      async getById() {
        reads += 1;
        return large;
      },
    };
    const client = new RpcClient(storage);
    const requests = Array.from({ length: 700 }, (_, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'workflow_get', params: { workflowId: 'large' } }),
    );
    const [answers, after] = await client.answersTo(`[${requests.join(',')}]\n${requestText(1)}\n`);
    const told = answers as readonly { readonly id: number; readonly result?: unknown }[];
    const answered = told.filter(({ result }) => result !== undefined);
    expect(told.map(({ id }) => id)).toEqual(requests.map((_, id) => id));
    expect(answered.length).toBe(Math.floor((32 * MIB) / JSON.stringify(answered[0]).length));
    expect(told.slice(answered.length)).toEqual(
      requests.slice(answered.length).map(() => failure(-32600, expect.any(Number))),
    );
    expect(reads).toBe(answered.length + 1);
    expect(after).toEqual(success(1));
  });

  test('of a shutdown in a batch are answered before the server ends', async () => {
    const client = new RpcClient();
    client.input.write(`[${requestText(1, 'shutdown')},${requestText(2)}]\n${requestText(3)}\n`);
    await client.ended;
    expect(client.answers()).toEqual([[{ jsonrpc: '2.0', id: 1, result: null }, success(2)]]);
  });
});

describe('the streams', () => {
  const service = new WorkflowService({ storage: storageOfTests(), logger: new MemoryLogger() });

  test('of a client that reads no more end the server quietly', async () => {
    const client = new RpcClient();
    client.output.destroy();
    await client.ended;
    client.input.write(`${requestText(1)}\n`);
    expect(client.input.destroyed).toBe(true);
  });

  test('that break while an answer is written end the server quietly', async () => {
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('broken pipe'), { code: 'EPIPE' })),
    });
    const logger = new MemoryLogger();
    const input = new PassThrough();
    input.write(`${requestText(1)}\n${requestText(2)}\n`);
    await new WorkflowRpcServer(service, { input, output, logger }).start();
    expect(input.destroyed).toBe(true);
    expect(logger.records).toEqual([expect.objectContaining({ event: 'workflow.served' })]);
  });

  test('of a slow client hold the server back', async () => {
    const waiting: (() => void)[] = [];
    const output = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) });
    const storage = storageOfTests();
    let calls = 0;
    const counted: WorkflowStorage = {
      loadAll: () => storage.loadAll(),
      getById: (id) => storage.getById(id),
      listSummaries: () => {
        calls += 1;
        return storage.listSummaries();
      },
    };
    const input = new PassThrough();
    const logger = new MemoryLogger();
    const watched = new WorkflowService({ storage: counted, logger });
    const ended = new WorkflowRpcServer(watched, { input, output, logger }).start();
    input.end(`${requestText(1)}\n${requestText(2)}\n`);
    await eventually(() => waiting.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(1);
    waiting[0]?.();
    await eventually(() => waiting.length === 2);
    waiting[1]?.();
    await ended;
    expect(calls).toBe(2);
  });

  test('for errors may be closed', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('out of order'));
    const failing = { loadAll: fail, getById: fail, listSummaries: fail };
    const watched = new WorkflowService({ storage: failing, logger: new MemoryLogger() });
    const [input, output] = [new PassThrough(), new PassThrough()];
    const errors = new Writable({ write: (_chunk, _encoding, done) => done(new Error('broken pipe')) });
    const ended = new WorkflowRpcServer(watched, { input, output, errors }).start();
    input.end(`${requestText(1)}\n${requestText(2)}\n`);
    await ended;
    expect(errors.errored).toBeInstanceOf(Error);
    expect(String(output.read()).trim().split('\n').length).toBe(2);
  });

  test('of several servers on one stream for errors have one listener', () => {
    const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const servers = [1, 2].map(() => new WorkflowRpcServer(service, { input, output, errors }));
    expect([servers.length, errors.listenerCount('error')]).toEqual([2, 1]);
  });

  test('that fail while they are read are reported', async () => {
    const client = new RpcClient();
    client.input.destroy(new Error('gone'));
    await expect(client.ended).rejects.toThrow('gone');
  });
});

test('writes warnings and worse, one line of JSON each, without secrets', () => {
  const stream = new PassThrough();
  const logger = new StreamLogger(stream);
  logger.log({ level: 'info', event: 'test:seen', message: 'Not told.' });
  logger.log({ level: 'warning', event: 'test:odd', message: 'Told.', details: { token: 'abc', id: 1 } });
  expect(JSON.parse(String(stream.read()))).toEqual({
    level: 'warning',
    event: 'test:odd',
    message: 'Told.',
    details: { token: '[REDACTED]', id: 1 },
  });
});

test('reports what failed, on the stream for errors and nowhere else', async () => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const fail = (): Promise<never> => Promise.reject(new TypeError('out of order'));
  const storage = { loadAll: fail, getById: fail, listSummaries: fail };
  const service = new WorkflowService({ storage, logger: new MemoryLogger() });
  input.end(requestText(1));
  await new WorkflowRpcServer(service, { input, output, errors }).start();
  expect(String(errors.read())).toContain('TypeError: out of order');
  expect(String(output.read())).not.toContain('out of order');
});

const LIMIT = 8;

/** What is expected, from the whole text at once. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines
    .map((line) => line.replace(/\r$/, ''))
    .map((line) => (line.length > LIMIT ? 'too-long' : line));
}

test('cuts the same lines from any pieces', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r'), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (pieces) => {
      const found: string[] = [];
      const input = Readable.from(pieces.map((piece) => Buffer.from(piece)));
      for await (const line of readLines(input, LIMIT, new AbortController().signal)) {
        found.push(line === 'too-long' ? line : Buffer.from(line.bytes).toString());
      }
      expect(found).toEqual(linesOf(pieces.join('')));
    }),
    { numRuns: tries(50, 500) },
  );
});
