import { describe, expect, test } from '@jest/globals';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import {
  InvalidCriteriaError,
  workflowCodes,
  type WorkflowCode,
  WorkflowError,
} from '../../../src/workflow/domain/errors/workflow-error.ts';
import { failureOf } from '../../../src/workflow/rpc/rpc-messages.ts';
import { releaseWorkflow } from '../application/release-workflow.ts';
import { ask, RpcClient } from './rpc-client.ts';

function failing(error: unknown): WorkflowStorage {
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a storage may reject with anything
  const fail = (): Promise<never> => Promise.reject(error);
  return { loadAll: fail, getById: fail, listSummaries: fail };
}

describe('the methods', () => {
  test('answer as the tools do', async () => {
    expect((await ask('workflow_get', { workflowId: 'release' })).result).toEqual(releaseWorkflow);
    expect((await ask('workflow_get', { id: 'release' })).result).toEqual(releaseWorkflow);
    expect((await ask('workflow_list')).result).toMatchObject({
      workflows: [{ id: 'empty' }, { id: 'release' }],
    });
    expect(
      (await ask('workflow_next', { workflowId: 'release', completedSteps: null })).result,
    ).toMatchObject({
      step: { id: 'plan' },
      isComplete: false,
    });
    const submitted = {
      workflowId: 'release',
      stepId: 'plan',
      output: 'the plan',
      context: { strict: true },
    };
    expect((await ask('workflow_validate', submitted)).result).toMatchObject({ valid: false });
    expect((await ask('workflow_validate_json', { workflowJson: '{' })).result).toMatchObject({
      valid: false,
    });
    expect((await ask('workflow_validate_json')).result).toMatchObject({
      details: [{ code: 'CONTENT_REQUIRED' }],
    });
  });

  test.each([
    ['workflow_get', {}, ['/workflowId is required']],
    ['workflow_get', undefined, ['/workflowId is required']],
    ['workflow_get', ['release'], [' must be an object with named members']],
    ['workflow_get', { id: 'a b' }, ['/id must be a text of 1 to 64 letters, digits, "_" or "-"']],
    ['workflow_get', { id: 'a', workflowId: 'b' }, ['/id is not known']],
    ['workflow_get', { id: 'a', more: 1 }, ['/more is not known']],
    ['workflow_list', { all: true }, ['/all is not known']],
    ['workflow_validate_json', { json: '' }, ['/json is not known']],
    ['shutdown', { now: true }, ['/now is not known']],
    ['initialize', undefined, ['/protocolVersion is required', '/capabilities is required']],
    ['initialize', { protocolVersion: '2024-11-05' }, ['/capabilities is required']],
    ['initialize', { capabilities: {} }, ['/protocolVersion is required']],
    ['initialize', { protocolVersion: 1, capabilities: {} }, ['/protocolVersion must be a text']],
  ])('%s refuses the params %j', async (method, params, faults) => {
    const { error, result } = await ask(method, params);
    expect(result).toBeUndefined();
    expect(error?.code).toBe(-32602);
    const { details } = error?.data as { readonly details: { path: string; message: string }[] };
    expect(details.map(({ path, message }) => `${path} ${message}`)).toEqual(faults);
  });

  test('introduce the server, in one protocol version', async () => {
    const capabilities = {};
    const { result } = await ask('initialize', {
      protocolVersion: '2024-11-05',
      capabilities,
      clientInfo: { name: 'client' },
    });
    expect(result).toEqual({
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'toolwright-workflow', version: '1.0.0' },
    });
    const { error } = await ask('initialize', { protocolVersion: '2025-11-25', capabilities });
    expect(error).toMatchObject({
      code: -32000,
      data: { supportedVersions: ['2024-11-05'], requestedVersion: '2025-11-25' },
    });
  });

  test('end the server after shutdown', async () => {
    const client = new RpcClient();
    client.input.write(
      '{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n{"jsonrpc":"2.0","id":2,"method":"workflow_list"}\n',
    );
    await client.ended;
    expect(client.answers()).toEqual([{ jsonrpc: '2.0', id: 1, result: null }]);
    expect(client.input.destroyed).toBe(true);
  });
});

describe('the errors', () => {
  test.each([
    ['workflow_nope', {}, -32601, { method: 'workflow_nope' }],
    ['toString', {}, -32601, { method: 'toString' }],
    ['workflow_get', { workflowId: 'missing' }, -32001, { workflowId: 'missing' }],
    [
      'workflow_validate',
      { workflowId: 'release', stepId: 'nope', output: '' },
      -32003,
      { stepId: 'nope', workflowId: 'release' },
    ],
  ])('of %s with %j are reported by their code', async (method, params, code, data) => {
    expect((await ask(method, params)).error).toMatchObject({ code, data });
  });

  test('of an invalid workflow say why', async () => {
    const { error } = await ask('workflow_next', { workflowId: 'empty' });
    expect(error).toMatchObject({
      code: -32002,
      data: { workflowId: 'empty', details: [{ code: 'TOO_FEW_ITEMS', path: '/steps' }] },
    });
  });

  test('of criteria name the field', async () => {
    const { error } = await ask(
      'workflow_list',
      {},
      failing(new InvalidCriteriaError('/and/0', 'it is a number.')),
    );
    expect(error).toMatchObject({ code: -32004, data: { field: '/and/0', details: 'it is a number.' } });
  });

  test('of every kind have a code, and no secrets', async () => {
    for (const code of Object.keys(workflowCodes) as WorkflowCode[]) {
      const details = { nested: { Password: 'hunter2' }, token: 'abc' };
      const { error } = await ask(
        'workflow_list',
        {},
        failing(new WorkflowError(code, { where: 'x', message: 'No.', details })),
      );
      expect([-32602, -32603, -32001, -32002, -32003, -32004, -32005, -32006, -32007]).toContain(error?.code);
      expect(JSON.stringify(error)).not.toMatch(/hunter2|abc/);
    }
  });

  test.each([
    new WorkflowError('STATE_ERROR', { where: 'x', message: 'No.', disclosed: { large: 1n } }),
    new Proxy(
      {},
      {
        getPrototypeOf() {
          throw new TypeError('no');
        },
      },
    ),
  ])('that cannot be described are answered nevertheless', async (thrown) => {
    const { error } = await ask('workflow_list', {}, failing(thrown));
    expect(error).toMatchObject({ code: -32603, data: { originalError: 'TypeError' } });
  });

  test('that were not expected show only the name of their class', async () => {
    class DiskError extends Error {}
    const failures: readonly (readonly [thrown: unknown, originalError: string])[] = [
      [new DiskError('at /home/secret'), 'DiskError'],
      ['secret text', 'string'],
      [undefined, 'undefined'],
      [null, 'object'],
      [Object.create(null), 'object'],
      [{ constructor: { name: 'secret' } }, 'object'],
    ];
    for (const [thrown, originalError] of failures) {
      const client = new RpcClient(failing(thrown));
      const answers = await client.answersTo('{"jsonrpc":"2.0","id":1,"method":"workflow_list"}');
      expect(answers).toMatchObject([{ error: { code: -32603, data: { originalError } } }]);
      expect(JSON.stringify(answers)).not.toContain('secret');
      expect(client.logger.records).toContainEqual(
        expect.objectContaining({ event: 'workflow.failed', error: thrown }),
      );
    }
  });
});

test('an error of runs, which share a number, says which one it is', () => {
  const facts = { where: 'run "r"', message: 'It is too late.', details: { runId: 'r' } };
  const { name, data } = failureOf(new WorkflowError('CONFIRMATION_EXPIRED', facts));
  expect([name, data]).toEqual(['STATE_ERROR', { runId: 'r', reason: 'CONFIRMATION_EXPIRED' }]);
  expect(failureOf(new WorkflowError('STATE_ERROR', facts)).data).toEqual({ runId: 'r' });
});
