import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { WorkflowService } from '../../../src/workflow/application/workflow-service.ts';
import { StreamLogger, WorkflowRpcServer } from '../../../src/workflow/rpc/workflow-rpc-server.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { requestText } from './rpc-client.ts';

test('writes warnings and worse, one line of JSON each, without secrets', () => {
  const stream = new PassThrough();
  const logger = new StreamLogger(stream);
  logger.log({ level: 'info', event: 'seen', message: 'Not told.' });
  logger.log({ level: 'warning', event: 'odd', message: 'Told.', details: { token: 'abc', id: 1 } });
  expect(JSON.parse(String(stream.read()))).toEqual({
    level: 'warning',
    event: 'odd',
    message: 'Told.',
    details: { token: '[REDACTED]', id: 1 },
  });
});

test('tells what failed, on the stream for errors and nowhere else', async () => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const fail = (): Promise<never> => Promise.reject(new TypeError('out of order'));
  const storage = { loadAll: fail, getById: fail, listSummaries: fail };
  const service = new WorkflowService({ storage, logger: new MemoryLogger() });
  input.end(requestText(1));
  await new WorkflowRpcServer(service, { input, output, errors }).start();
  expect(String(errors.read())).toContain('TypeError: out of order');
  expect(String(output.read())).not.toContain('out of order');
});
