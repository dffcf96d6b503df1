import { describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { assistantMessage, image, text, userMessage } from '../../../src/call/content.ts';
import { content, error } from '../../../src/call/result-helpers.ts';
import type { ResolvedInputOutcome } from '../../../src/kernel/call/compiled-callable.ts';
import { Field } from '../../../src/decorators/members.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import { compilePrompt, fakeResolver, scannedPrompt } from '../../support/primitives.ts';

class Review {
  @IsString() @Field({ title: 'Language', description: 'Language of the code' }) language!: string;
  @IsInt() @Min(1) @Max(5) @Field('How strict to be') strictness = 3;
  @IsOptional() @IsString() focus?: string;
}

function compiled(parts: Parameters<typeof scannedPrompt>[1] = {}) {
  return compilePrompt(scannedPrompt('review', parts), fakeResolver());
}

describe('the definition of a prompt', () => {
  test('has its arguments, each with what @Field says and whether it is required', () => {
    const icons = [{ src: 'https://example.com/a.png', sizes: ['48x48'] }];
    const prompt = compiled({
      title: 'Review',
      description: 'Review code',
      input: Review,
      icons,
      meta: { a: [1] },
    });
    expect(prompt.definition).toEqual({
      name: 'review',
      title: 'Review',
      description: 'Review code',
      arguments: [
        { name: 'language', title: 'Language', description: 'Language of the code', required: true },
        { name: 'strictness', description: 'How strict to be', required: false },
        { name: 'focus', required: false },
      ],
      icons,
      _meta: { a: [1] },
    });
    expect(Object.isFrozen(prompt.definition.arguments?.[0])).toBe(true);
    expect(Object.isFrozen(prompt.definition._meta?.['a'])).toBe(true);
    expect(prompt.model.promptArguments.map(({ name }) => name)).toEqual(['language', 'strictness', 'focus']);
  });

  test('is a name alone when nothing else is said', () => {
    expect(compiled().definition).toEqual({ name: 'review' });
  });

  test('reads the arguments of a schema whose root refers', () => {
    const input = {
      $ref: '#/$defs/Args',
      $defs: {
        Args: { type: 'object', properties: { n: { $ref: '#/$defs/N' } }, required: ['n'] },
        N: { type: 'integer', description: 'How many' },
      },
    };
    const prompt = compiled({ input });
    expect(prompt.definition.arguments).toEqual([{ name: 'n', description: 'How many', required: true }]);
    expect(prompt.resolveInput({ n: '3' })).toMatchObject({ ok: true, value: { input: { n: 3 } } });
  });

  test('comes out without arguments when the input is not an object, and the problem is reported', () => {
    const problems = new ProblemList();
    const prompt = scannedPrompt('review', { input: { type: 'string' } });
    compilePrompt(prompt, fakeResolver(), problems);
    expect(problems.problems).toMatchObject([{ code: 'TW_COMPILE_SCHEMA_ROOT' }]);
  });
});

describe('the arguments of a prompt', () => {
  test('are converted from text, then validated and hydrated', () => {
    const outcome = compiled({ input: Review }).resolveInput({ language: '7', strictness: '4' });
    expect(outcome).toMatchObject({ ok: true });
    const { input } = (outcome as ResolvedInputOutcome & { ok: true }).value;
    expect(input).toBeInstanceOf(Review);
    expect(input).toEqual({ language: '7', strictness: 4 });
  });

  test('that are no literal are named by the validation as they came', () => {
    expect(compiled({ input: Review }).resolveInput({ language: 'ts', strictness: '' })).toMatchObject({
      ok: false,
      issues: [{ path: 'strictness', received: 'string ""' }],
    });
  });

  test('that are not declared follow unknownFields', () => {
    const args = { language: 'ts', langauge: 'ts' };
    expect(compiled({ input: Review }).resolveInput(args)).toMatchObject({
      ok: false,
      issues: [{ path: 'langauge', message: 'unknown field', suggestion: 'language' }],
    });
    const strip = compiled({ input: Review, unknownFields: 'strip' });
    expect(strip.resolveInput(args)).toMatchObject({ ok: true, value: { input: { language: 'ts' } } });
    expect(compiled().resolveInput({ a: '1' })).toMatchObject({ ok: false });
  });
});

describe('the result of a prompt', () => {
  const { convert } = compiled();
  const say = (role: string, block: unknown) => ({ role, content: block });
  const picture = image('iVBORw==', 'image/png');

  test.each<[string, unknown, readonly unknown[]]>([
    ['a string', 'Hi', [say('user', { type: 'text', text: 'Hi' })]],
    ['an empty string', '', [say('user', { type: 'text', text: '' })]],
    ['a block', picture, [say('user', picture)]],
    ['a list of blocks', [text('a'), picture], [say('user', text('a')), say('user', picture)]],
    ['mixed content', content('a', picture), [say('user', text('a')), say('user', picture)]],
    ['one message', assistantMessage('a'), [say('assistant', text('a'))]],
    [
      'messages, nested ones too',
      [userMessage('a'), userMessage(['b', picture]), assistantMessage('c')],
      [say('user', text('a')), say('user', text('b')), say('user', picture), say('assistant', text('c'))],
    ],
    [
      'messages written by hand',
      [say('user', { type: 'text', text: 'a' })],
      [say('user', { type: 'text', text: 'a' })],
    ],
    [
      'strings beside messages',
      ['a', assistantMessage('b')],
      [say('user', text('a')), say('assistant', text('b'))],
    ],
    ['no messages', [], []],
  ])('may be %s', (_name, value, messages) => {
    expect(convert(value)).toEqual({ ok: true, value: { messages } });
  });

  test('may be the whole result', () => {
    const value = { description: 'A review', messages: [userMessage('a')], _meta: { a: 1 } };
    expect(convert(value)).toEqual({ ok: true, value });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', { text: 'a' }],
    ['a block that was not made', { type: 'text', text: 'a' }],
    ['a message whose content is not a block', { role: 'user', content: 'a' }],
    ['a message of the system', { role: 'system', content: text('a') }],
    ['a message with a further member', { role: 'user', content: text('a'), name: 'b' }],
    ['a list with something else', [userMessage('a'), 7]],
    ['a result with a further member', { messages: [], extra: 1 }],
    ['a result with a wrong message', { messages: ['a'] }],
    ['a result whose description is not a text', { messages: [], description: 7 }],
    ['a failed result of a tool', error('no')],
  ])('cannot be %s', (_name, value) => {
    expect(convert(value)).toMatchObject({ ok: false, issues: [{ path: '' }] });
    expect(JSON.stringify(convert(value))).toContain('userMessage()');
  });
});
