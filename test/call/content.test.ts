import { describe, expect, test } from '@jest/globals';
import { CallToolResultSchema, GetPromptResultSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { isBase64, toBase64 } from '../../src/call/check-content.ts';
import {
  assistantMessage,
  audio,
  embeddedResource,
  image,
  resourceLink,
  text,
  userMessage,
} from '../../src/call/content.ts';
import { isHelperBlock, isHelperResult, helperResult } from '../../src/call/handler-value.ts';
import { content, structured } from '../../src/call/result-helpers.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';

const bytes = new Uint8Array([137, 80, 78, 71]);
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' } as const;

const loosen = (value: unknown) => value as never;

describe('content helpers', () => {
  test.each([
    [text('hi', annotations), { type: 'text', text: 'hi', annotations }],
    [text(''), { type: 'text', text: '' }],
    [image(bytes, 'image/png'), { type: 'image', data: 'iVBORw==', mimeType: 'image/png' }],
    [audio('UklGRg==', 'audio/wav'), { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }],
    [
      resourceLink({ uri: 'a://b', name: 'b', title: 'B', mimeType: 'text/plain; charset=utf-8', size: 0 }),
      {
        type: 'resource_link',
        uri: 'a://b',
        name: 'b',
        title: 'B',
        mimeType: 'text/plain; charset=utf-8',
        size: 0,
      },
    ],
    [
      embeddedResource({ uri: 'a://b', blob: Buffer.from('hi') }, { priority: 1 }),
      { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' }, annotations: { priority: 1 } },
    ],
    [
      embeddedResource({ uri: 'a://b', text: '' }),
      { type: 'resource', resource: { uri: 'a://b', text: '' } },
    ],
  ])('make frozen blocks that the SDK accepts: %j', (block, expected) => {
    expect(block).toEqual(expected);
    expect(isHelperBlock(block)).toBe(true);
    expect(Object.isFrozen(block)).toBe(true);
    expect(JSON.parse(JSON.stringify(block))).toEqual(expected);
    expect(CallToolResultSchema.parse({ content: [block] }).content[0]).toEqual(expected);
  });

  test('leave what the caller passed alone', () => {
    const own = { audience: ['user' as const] };
    const written = { type: 'text' as const, text: 'by hand' };
    const block = text('a', own);
    content(written);
    own.audience.push('user');
    expect(block.annotations).toEqual({ audience: ['user'] });
    expect(Object.isFrozen(written)).toBe(false);
  });

  test.each<[string, () => unknown, string]>([
    ['a missing text', () => text(loosen(undefined)), 'got nothing for text'],
    ['text that is not base64', () => image('***', 'image/png'), 'not base64'],
    ['base64 of the alphabet for URLs', () => image('-_-_', 'image/png'), 'not base64'],
    ['a data URI', () => image('data:image/png;base64,iVBORw==', 'image/png'), 'not base64'],
    ['no bytes', () => audio(loosen(7), 'audio/wav'), 'got number 7 for data'],
    ['an empty mime type', () => image(bytes, ' '), 'got an empty mimeType'],
    ['half a mime type', () => image(bytes, 'png'), 'got "png" for mimeType'],
    ['an empty uri', () => resourceLink({ uri: '', name: 'a' }), 'got an empty uri'],
    ['a link without a name', () => resourceLink(loosen({ uri: 'a://b' })), 'got nothing for name'],
    ['a negative size', () => resourceLink({ uri: 'a://b', name: 'b', size: -1 }), 'for size'],
    ['neither text nor blob', () => embeddedResource(loosen({ uri: 'a://b' })), 'neither text nor blob'],
    ['both', () => embeddedResource(loosen({ uri: 'a://b', text: 'a', blob: bytes })), 'both text and blob'],
    ['a role that MCP lacks', () => text('a', { audience: [loosen('robot')] }), 'annotations.audience'],
    ['a priority above 1', () => text('a', { priority: 1.1 }), 'annotations.priority'],
    ['a date without a time', () => text('a', { lastModified: '2025-01-12' }), 'annotations.lastModified'],
    ['an annotation that MCP lacks', () => text('a', loosen({ colour: 'red' })), 'annotations.colour'],
    ['something else as a part', () => content(loosen({ type: 'video' })), 'content() got object'],
    ['something else as a message', () => userMessage(loosen(7)), 'userMessage() got number 7'],
  ])('refuse %s', (_name, make, message) => {
    let thrown: unknown;
    try {
      make();
    } catch (error) {
      thrown = error;
    }
    expect(ToolwrightError.is(thrown) && thrown.code).toBe('TW_CONTENT_INVALID');
    expect(String(thrown)).toContain(message);
  });

  test('content() mixes texts and blocks in one made result', () => {
    const result = content('Look:', image(bytes, 'image/png'), { type: 'text', text: 'by hand' });
    expect(isHelperResult(result)).toBe(true);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
  });

  test('structured() carries the value twice, as an object', () => {
    class Weather {
      celsius = 21.5;
    }
    expect(structured(new Weather(), '21.5 °C')).toEqual({
      content: [{ type: 'text', text: '21.5 °C' }],
      structuredContent: { celsius: 21.5 },
    });
    expect(structured([1, 2]).structuredContent).toEqual({ result: [1, 2] });
    expect(structured(undefined)).toMatchObject({
      content: [{ text: 'OK' }],
      structuredContent: { result: null },
    });
    const own = { list: [1] };
    structured(own);
    expect(Object.isFrozen(own.list)).toBe(false);
  });

  test('a message has one block, so a list gives as many messages', () => {
    const image1 = image(bytes, 'image/png');
    const messages = [userMessage('a'), ...userMessage(['b', image1]), assistantMessage(text('c'))];
    expect(GetPromptResultSchema.parse({ messages }).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'a' } },
      { role: 'user', content: { type: 'text', text: 'b' } },
      { role: 'user', content: image1 },
      { role: 'assistant', content: { type: 'text', text: 'c' } },
    ]);
  });

  test('only made blocks are blocks', () => {
    expect(helperResult({ type: 'text', text: 'data' }, 'json')).toBeUndefined();
    expect(helperResult([], 'json')).toBeUndefined();
    expect(helperResult([text('a'), { type: 'text', text: 'data' }], 'json')).toBeUndefined();
    const list = [text('a'), text('b')];
    expect(helperResult(list, 'json')?.content).toEqual(list);
    expect(helperResult(list, 'json')?.content).not.toBe(list);
  });
});

describe('base64', () => {
  test('keeps every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        const encoded = image(data, 'image/png').data;
        expect(isBase64(encoded)).toBe(true);
        expect(new Uint8Array(Buffer.from(encoded, 'base64'))).toEqual(data);
      }),
    );
  });

  test('encodes the part that a view shows', () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    expect(toBase64(whole.subarray(1, 3))).toBe(Buffer.from([2, 3]).toString('base64'));
    expect(toBase64(new DataView(whole.buffer, 3))).toBe(Buffer.from([4]).toString('base64'));
  });

  test('is exactly what decodes to bytes and back to itself', () => {
    const alphabet = fc.string({
      unit: fc.constantFrom('A', 'Q', 'g', '/', '+', '=', '-', '\n'),
      maxLength: 9,
    });
    fc.assert(
      fc.property(alphabet, (candidate) => {
        const again = Buffer.from(candidate, 'base64').toString('base64');
        // unused bits of the last character are lost on the way, which every decoder tolerates
        const isSame = again.length === candidate.length && again.slice(0, -3) === candidate.slice(0, -3);
        if (isBase64(candidate)) expect(isSame).toBe(true);
        if (again === candidate) expect(isBase64(candidate)).toBe(true);
      }),
    );
  });

  test('reads megabytes without overflowing the stack', () => {
    expect(isBase64('A'.repeat(16_000_000))).toBe(true);
    expect(isBase64(`${'A'.repeat(16_000_000)}-AAA`)).toBe(false);
  });
});
