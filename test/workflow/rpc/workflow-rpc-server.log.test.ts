import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { WorkflowRpcServer, WorkflowService, type WorkflowStorage } from 'toolwright/workflow';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { requestText } from './rpc-client.ts';

const outOfOrder = new TypeError('out of order');
const broken: WorkflowStorage = {
  loadAll: () => Promise.reject(outOfOrder),
  getById: () => Promise.reject(outOfOrder),
  listSummaries: () => Promise.reject(outOfOrder),
};
/** A summary that is not JSON: the service has answered when it turns out. */
const untellable: WorkflowStorage = {
  ...broken,
  listSummaries: async () => [{ id: 1n }] as never,
};

async function serve(
  storage: WorkflowStorage,
  options: Partial<ConstructorParameters<typeof WorkflowRpcServer>[1]>,
  lines: readonly string[] = [requestText(1)],
) {
  const own = new MemoryLogger();
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(lines.map((line) => `${line}\n`).join(''));
  const service = new WorkflowService({ storage, logger: own });
  await new WorkflowRpcServer(service, { input, output, ...options }).start();
  return { own: own.records, output: String(output.read()) };
}

function linesOf(stream: PassThrough): readonly Record<string, unknown>[] {
  const text = String(stream.read() ?? '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log of a server', () => {
  test('is all in the stream for errors, one line of JSON for each failure', async () => {
    const errors = new PassThrough();
    const { own, output } = await serve(broken, { errors });
    expect(linesOf(errors)).toEqual([
      expect.objectContaining({
        level: 'error',
        event: 'workflow.failed',
        operation: 'list',
        error: expect.stringContaining('TypeError: out of order'),
      }),
    ]);
    expect(own).toEqual([]);
    expect(output).not.toContain('out of order');
  });

  test('has what is refused for good beside what failed, in the same form', async () => {
    const errors = new PassThrough();
    const invalid: WorkflowStorage = { ...broken, getById: async () => ({ id: 'odd' }) as never };
    const request = { jsonrpc: '2.0', id: 1, method: 'workflow_get', params: { workflowId: 'odd' } };
    await serve(invalid, { errors }, [JSON.stringify(request), requestText(2)]);
    expect(linesOf(errors)).toMatchObject([
      { level: 'warning', event: 'workflow.refused', code: 'INVALID_WORKFLOW' },
      { level: 'error', event: 'workflow.failed' },
    ]);
  });

  test.each([
    ['an object', (log: MemoryLogger) => log],
    ['a function', (log: MemoryLogger) => log.log.bind(log)],
  ])('goes to the logger instead when one is given, as %s', async (_kind, loggerOf) => {
    const [errors, log] = [new PassThrough(), new MemoryLogger()];
    const { own } = await serve(broken, { errors, logger: loggerOf(log) });
    expect(log.records).toEqual([expect.objectContaining({ event: 'workflow.failed', error: outOfOrder })]);
    expect([own, linesOf(errors)]).toEqual([[], []]);
  });

  test('is the log of the service unless something else is asked for', async () => {
    expect((await serve(broken, {})).own).toEqual([
      expect.objectContaining({ event: 'workflow.failed', error: outOfOrder }),
    ]);
    const { own } = await serve(untellable, {});
    expect(own.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({ event: 'rpc.failed', method: 'workflow_list' }),
    ]);
  });

  test('reports an answer that cannot be written once, where everything else is', async () => {
    const errors = new PassThrough();
    const { own, output } = await serve(untellable, { errors });
    expect(linesOf(errors)).toEqual([
      expect.objectContaining({ event: 'rpc.failed', method: 'workflow_list' }),
    ]);
    expect([own, JSON.parse(output)]).toEqual([[], expect.objectContaining({ error: expect.anything() })]);
  });
});
