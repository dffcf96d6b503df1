import { expect, test } from '@jest/globals';
import { createAnswers } from '../../../src/cli/call/answers.ts';
import type { CliError } from '../../../src/cli/output/cli-error.ts';
import { Terminal } from '../../../src/cli/output/terminal.ts';
import { PassThrough } from 'node:stream';

const streams = () => ({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
});
const never = { fail: () => undefined, interrupt: () => undefined };

test.each([
  ['accept', '{"agreed":true}'],
  ['yes', '{"agreed":true}'],
  ['reason=duplicate', '{"reason":"duplicate"}'],
])('--answer %s names what it takes, with an example', async (given, example) => {
  const created = createAnswers(given, new Terminal(streams(), {}), never);
  await expect(created).rejects.toMatchObject({
    code: 'TW_CLI_INPUT',
    what: `takes decline, cancel, JSON or @file, and got "${given}".`,
    fix: expect.stringContaining(`--answer '${example}'`),
  });
});

test('the error of a question that nobody answers has its fields, and an answer that fits', async () => {
  const failed: CliError[] = [];
  const fail = (error: CliError): void => {
    failed.push(error);
  };
  const { onElicitation } = await createAnswers(undefined, new Terminal(streams(), {}), { ...never, fail });
  const properties = {
    agreed: { type: 'boolean', title: 'Yes, run it' },
    how: { enum: ['now', 'later'] },
    count: { type: 'integer' },
  };
  const answer = await onElicitation({ message: 'Sure?', requestedSchema: { type: 'object', properties } });
  expect(answer).toEqual({ action: 'cancel' });
  expect(failed[0]?.what).toBe(
    'asks a question: Sure?\n  fields: agreed (boolean: Yes, run it), how (now or later), count (integer)',
  );
  expect(failed[0]?.fix).toContain(`--answer '{"agreed":true,"how":"now","count":1}'`);
});
