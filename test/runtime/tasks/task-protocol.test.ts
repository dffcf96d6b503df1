import { describe, expect, test } from '@jest/globals';
import { checkNameHeader, knowsTasks } from '../../../src/runtime/tasks/task-protocol.ts';
import { LocalOrigin, type LocalCallOptions } from '../../../src/runtime/local-calls.ts';

const ID = '7f1c6a52-0d2e-4b3c-9d55-e6a1f0c2b9aa';

function codeOf(headers: LocalCallOptions['headers']): number | undefined {
  try {
    checkNameHeader(new LocalOrigin('x', headers === undefined ? {} : { headers }), ID);
    return undefined;
  } catch (error) {
    return (error as { readonly code: number }).code;
  }
}

describe('the header that names a task', () => {
  test.each([
    [undefined],
    [{ 'Mcp-Name': ID }],
    [{ 'Mcp-Method': 'tasks/get', 'Mcp-Name': ` ${ID} ` }],
    [{ 'Mcp-Name': `=?base64?${Buffer.from(ID).toString('base64')}?=` }],
  ])('fits: %j', (headers) => {
    expect(codeOf(headers)).toBeUndefined();
  });

  test.each([
    [{ 'Mcp-Name': 'another' }],
    [{ 'Mcp-Name': '' }],
    [{ 'Mcp-Name': ID.toUpperCase() }],
    [{ 'Mcp-Name': `=?base64?${Buffer.from('another').toString('base64')}?=` }],
    [{ 'Mcp-Method': 'tasks/get' }],
  ])('does not fit: %j', (headers) => {
    expect(codeOf(headers)).toBe(-32020);
  });
});

test('a client knows tasks when it declares the extension as an object', () => {
  const knows = (extensions: unknown): boolean =>
    knowsTasks(new LocalOrigin('x', { client: { capabilities: { extensions } } }));
  expect(knows({ 'io.modelcontextprotocol/tasks': {} })).toBe(true);
  const others = [
    undefined,
    null,
    [],
    'io.modelcontextprotocol/tasks',
    { 'io.modelcontextprotocol/tasks': true },
  ];
  expect(others.map(knows)).toEqual(others.map(() => false));
});
