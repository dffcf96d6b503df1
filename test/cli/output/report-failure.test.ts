import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { reportFailure } from '../../../src/cli/output/report-failure.ts';
import { Terminal } from '../../../src/cli/output/terminal.ts';
import * as clientErrors from '../../../src/client/client-errors.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';

function report(error: unknown): { readonly code: number; readonly text: string } {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = reportFailure(error, new Terminal({ stdin, stdout, stderr, env: {} }, {}));
  return { code, text: String(stderr.read()) };
}

const PLACE = 'http://127.0.0.1:3000/mcp';

test.each([
  [
    'a request without a token',
    clientErrors.unauthorized(PLACE, 401, '', null),
    3,
    /fix: --header 'authorization: /,
  ],
  ['a time that is over', clientErrors.requestTimedOut(PLACE, 'tools/call', 10), 4, /fix: --timeout 300000/],
  ['another revision', clientErrors.eraNotServed(PLACE, '2026-07-28', undefined), 4, /naming no era/],
  ['a broken answer', clientErrors.unusableAnswer(PLACE, 'tools/list', 'it has no tools'), 4, /fix: report/],
  ['a lost connection', clientErrors.connectionClosed(PLACE), 4, /fix: connect again/],
  [
    'a client without a model',
    new ProtocolError(-32021, 'Missing required client capability', {
      requiredCapabilities: { sampling: {} },
    }),
    5,
    /fix: call it in the explorer/,
  ],
])('%s is reported in words of the command line', (_what, error, code, fix) => {
  const reported = report(error);
  expect(reported).toEqual({ code, text: expect.stringMatching(fix) });
  // An object in braces is what code is given
  expect(reported.text.split('fix:')[1]).not.toMatch(/\{ \w+:/);
});
