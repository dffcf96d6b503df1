import { describe, expect, test } from '@jest/globals';
import type { ToolError } from 'toolwright';
import type { HttpAnswer } from '../../../src/operations/operation.ts';
import { readAnswer } from '../../../src/operations/http/read-answer.ts';
import { answerOfType, jsonAnswer } from '../offer.ts';

function read(answer: HttpAnswer, fields?: readonly string[]): unknown {
  return readAnswer(answer, { method: 'GET' }, { fields });
}

function errorFrom(answer: HttpAnswer, fields?: readonly string[]): ToolError {
  try {
    read(answer, fields);
  } catch (error) {
    return error as ToolError;
  }
  throw new Error('The answer was accepted');
}

describe('fields', () => {
  test.each([
    jsonAnswer('secret'),
    jsonAnswer(7),
    jsonAnswer(['secret']),
    jsonAnswer([{ id: 1 }, 'secret']),
    jsonAnswer([[{ id: 1 }]]),
    answerOfType('text/plain', 'secret'),
    answerOfType('application/x-ndjson', '{"secret":1}'),
    answerOfType('image/png', 'secret'),
  ])('refuse an answer that is neither an object nor a list of objects (%#)', (answer) => {
    const error = errorFrom(answer, ['id']);
    expect(error.code).toBe('UPSTREAM_ANSWER');
    expect(error.message).not.toContain('secret');
  });

  test.each<[unknown, unknown]>([
    [null, null],
    [
      [null, { id: 1, key: 2 }],
      [null, { id: 1 }],
    ],
    [{ owner: 'secret' }, {}],
    [{ owner: null }, { owner: null }],
    [{ owner: ['secret', { name: 'ada', key: 1 }, 7] }, { owner: [{ name: 'ada' }] }],
    [{ id: ['whole', 1] }, { id: ['whole', 1] }],
  ])('of %j keep %j', (value, kept) => {
    expect(read(jsonAnswer(value), ['id', 'owner.name'])).toEqual(kept);
  });
});

test.each<[string, Uint8Array, unknown]>([
  ['application/json', Buffer.from('\uFEFF{"a":"ü"}'), { a: 'ü' }],
  ['application/json; charset=ISO-8859-1', Buffer.from('{"a":"ü"}', 'latin1'), { a: 'ü' }],
  ['text/plain; charset="utf-16le"', Buffer.from('ü', 'utf16le'), 'ü'],
  ['text/plain; charset=none', Buffer.from('ü'), 'ü'],
])('a text is read in its charset: %s', (type, body, value) => {
  expect(read({ status: 200, headers: { 'content-type': type }, body })).toEqual(value);
});

test('a long media type is cut', () => {
  const error = errorFrom(answerOfType(`x/${'y'.repeat(9_000)}`, 'z'));
  expect(error.message.length).toBeLessThan(300);
});

describe('an error', () => {
  test.each<[unknown, string]>([
    [{ message: 'no such task', row: 'secret' }, '409 no such task'],
    [{ message: ['a is wrong', { row: 'secret' }, { message: 'b is wrong' }] }, '409 a is wrong; b is wrong'],
    [{ error: { message: 'already closed', row: 'secret' } }, '409 already closed'],
    [{ detail: 'closed', code: 'TASK_CLOSED' }, '409 closed (TASK_CLOSED)'],
    [{ row: 'secret', code: 'TASK_CLOSED' }, '409 Conflict (TASK_CLOSED)'],
    [{ message: { row: 'secret' }, error: [] }, '409 Conflict'],
    [[{ title: 'secret' }], '409 Conflict'],
    [7, '409 Conflict'],
    ['already closed', '409 already closed'],
  ])('%j says %j', (body, message) => {
    const error = errorFrom(jsonAnswer(body, 409));
    expect(error).toMatchObject({ code: 'CONFLICT', message });
    expect(JSON.stringify(error.facts)).not.toContain('secret');
  });

  test('that is a page gives the status', () => {
    expect(errorFrom(answerOfType('text/html', '<p>secret</p>', 404)).message).toBe('404 Not Found');
    expect(errorFrom(answerOfType('text/plain', 'no task', 404)).message).toBe('404 no task');
  });

  test('is read as far as messages go', () => {
    const deep = `${'{"error":'.repeat(50_000)}"secret"${'}'.repeat(50_000)}`;
    expect(errorFrom(answerOfType('application/json', deep, 400)).message).not.toContain('secret');
  });
});
