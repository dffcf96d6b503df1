import { expect, test } from '@jest/globals';
import { image, text } from '../../../src/call/content.ts';
import { isHelperResult } from '../../../src/call/handler-value.ts';
import { compileOutput } from '../../../src/compile/tools/compile-output.ts';
import { createOutputContract } from '../../../src/compile/contracts/create-contract.ts';

const picture = image('iVBORw==', 'image/png');
const convert = compileOutput('json', undefined);

test('a made block is the content of the result', () => {
  const outcome = convert(picture);
  expect(outcome).toEqual({ ok: true, value: { content: [picture] } });
  expect(isHelperResult((outcome as { value: unknown }).value)).toBe(true);
});

test('a list of made blocks is the content, and stays the handler’s own', () => {
  const list = [text('a'), picture];
  expect(convert(list)).toEqual({ ok: true, value: { content: list } });
  expect(Object.isFrozen(list)).toBe(false);
});

test('blocks that were not made are data', () => {
  const data = { type: 'text', text: 'a' };
  for (const value of [data, [data], [text('a'), data], []]) {
    expect(convert(value)).toMatchObject({
      value: { content: [{ text: JSON.stringify(value, undefined, 2) }] },
    });
  }
});

test('a block alone does not carry a declared output', () => {
  const contract = createOutputContract({ type: 'object', properties: {} }, { where: 'a test' });
  expect(compileOutput('json', contract)(picture)).toMatchObject({ ok: false });
});
