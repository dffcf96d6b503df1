import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from 'toolwright';
import { ProblemList } from '../../src/errors/problem-list.ts';
import { checkSettings } from '../../src/operations/check-settings.ts';
import type { Operation, Place } from '../../src/operations/operation.ts';
import type { OperationSettings } from '../../src/operations/settings.ts';
import { describeOperation, select } from './offer.ts';

const text: JsonSchema = { type: 'string' };
const query = (name: string): Place => ({ in: 'query', name, source: text, isRequired: false });
const header: Place = { in: 'header', name: 'x-region', source: text, isRequired: false, isOptIn: true };
const openBody: Place = {
  in: 'body',
  source: { type: 'object', additionalProperties: true },
  isRequired: true,
};

function problems(settings: OperationSettings, facts: Partial<Operation> = {}): readonly string[] {
  const operation = describeOperation('GET /tasks', { inputs: [query('state'), header], ...facts });
  const { offered } = select([operation], { actions: { 'tasks.find': settings } });
  const list = new ProblemList();
  checkSettings(offered, list);
  return list.problems.map(({ code, what, fix }) => `${code} ${what} ${fix}`);
}

describe('a setting that names what is not there', () => {
  test.each<[OperationSettings, string]>([
    [{ hide: ['stat'] }, 'has hide for "stat", and takes no such field. did you mean "state"?'],
    [{ defaults: { colour: 1 } }, 'has defaults for "colour", and takes no such field. write one of state'],
    [
      { headers: ['x-regio'] },
      'has headers for "x-regio", and takes no such header. did you mean "x-region"?',
    ],
    [{ hide: ['x-region'] }, 'has hide for "x-region", and takes no such field. write one of state'],
  ])('is a problem: %j', (settings, what) => {
    expect(problems(settings)).toEqual([`TW_OPERATIONS_SETTINGS ${what}`]);
  });

  test('is none where it is there, and where the input takes further names', () => {
    expect(problems({ hide: ['state'], defaults: { state: 'open' }, headers: ['X-Region'] })).toEqual([]);
    expect(problems({ headers: ['x-region'], hide: ['x-region'] })).toEqual([]);
    expect(problems({ hide: ['tenant'] }, { inputs: [openBody] })).toEqual([]);
  });
});

describe('an output', () => {
  const answer: JsonSchema = { type: 'object', properties: { id: text } };

  test.each<[OperationSettings, Partial<Operation>, string]>([
    [{ output: true }, {}, 'nothing says what it answers'],
    [{ output: true, result: 'text' }, { answer }, "result: 'text'"],
    [{ output: 'strict' }, {}, "output: 'strict', and nothing says what it answers"],
  ])('is a problem: %j', (settings, facts, what) => {
    expect(problems(settings, facts)).toEqual([expect.stringContaining(what)]);
  });

  test('is none where the API says what it answers', () => {
    expect(problems({ output: true }, { answer })).toEqual([]);
  });
});

test('select cannot stand beside a field of the same name', () => {
  expect(problems({ select: true }, { inputs: [query('fields')] })).toEqual([
    expect.stringContaining('select: true'),
  ]);
  expect(problems({ select: true })).toEqual([]);
});
