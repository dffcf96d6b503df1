import { describe, expect, test } from '@jest/globals';
import type { Completion } from '../../../src/call/results.ts';
import type { CompletionContext } from '../../../src/call/tool-context.ts';
import {
  createCompletionService,
  type CompletionReference,
} from '../../../src/runtime/primitives/completions.ts';
import {
  compilePrompt,
  compileResource,
  completion,
  failureOf,
  fakeRequest,
  fakeResolver,
  scannedPrompt,
  scannedResource,
  sendTo,
  serviceOptions,
} from '../../support/primitives.ts';

const exchange = fakeRequest();

function serve(
  controller: object,
  options: Parameters<typeof serviceOptions>[0] = {},
  resolver = fakeResolver(controller),
) {
  const completions = [completion('language', 'languages')];
  const prompts = [
    scannedPrompt('review', { completions, tags: ['public'] }),
    scannedPrompt('hidden', { completions, tags: ['admin'] }),
  ].map((prompt) => compilePrompt(prompt, resolver));
  const resources = [
    scannedResource('docs', 'docs://{language}', { completions, tags: ['public'] }),
    scannedResource('fixed', 'docs://fixed'),
  ].map((resource) => compileResource(resource, resolver));
  const service = createCompletionService(
    { prompts: () => prompts, resources: () => resources },
    serviceOptions(options),
  );
  const send = sendTo({ completions: service });
  return async (ref: CompletionReference, name = 'language', value = 'ty', resolved = {}) => {
    const params = { ref, argument: { name, value }, context: { arguments: resolved } };
    const { completion: found } = await send<{ completion: Completion }>(
      'completion/complete',
      params,
      exchange,
    );
    return found;
  };
}

const review = { type: 'ref/prompt', name: 'review' } as const;
const docs = { type: 'ref/resource', uri: 'docs://{language}' } as const;

test('hands over the text, the resolved arguments and the context of the call', async () => {
  const seen: unknown[] = [];
  const complete = serve({
    languages(value: string, context: CompletionContext) {
      seen.push(value, context.arguments, context.call.requestId, Object.isFrozen(context.arguments));
      return ['typescript'];
    },
  });
  expect(await complete(review, 'language', 'ty', { framework: 'jest' })).toEqual({
    values: ['typescript'],
    total: 1,
    hasMore: false,
  });
  expect(seen).toEqual(['ty', { framework: 'jest' }, 'request-1', true]);
});

test('completes the variables of a template', async () => {
  expect(await serve({ languages: async () => ['python'] })(docs)).toMatchObject({ values: ['python'] });
});

test('keeps strings, and no more than 100 of them', async () => {
  const many = Array.from({ length: 150 }, (_, index) => (index === 0 ? 7 : `v${index}`));
  const found = await serve({ languages: () => many })(review);
  expect(found).toMatchObject({ total: 149, hasMore: true });
  expect(found.values).toHaveLength(100);
  expect(found.values[0]).toBe('v1');
  expect(await serve({ languages: () => many.slice(0, 101) })(review)).toMatchObject({ hasMore: false });
});

test('answers with nothing where nothing completes', async () => {
  const none = { values: [], total: 0, hasMore: false };
  expect(await serve({ languages: () => ['a'] })(review, 'other')).toEqual(none);
  expect(await serve({ languages: () => undefined })(review)).toEqual(none);
});

test('works in the scope of the call', async () => {
  const scopes = { opened: 0, closed: 0 };
  const controller = { languages(this: { number: number }) { return [`call ${this.number}`]; } }; // oxfmt-ignore
  const complete = serve(controller, {}, fakeResolver(controller, scopes));
  expect((await complete(review)).values).toEqual(['call 1']);
  expect((await complete(docs)).values).toEqual(['call 2']);
  expect(scopes).toEqual({ opened: 2, closed: 2 });
});

describe('what fails', () => {
  test('an unknown prompt or template, and a hidden one', async () => {
    const complete = serve({ languages: () => [] }, { filter: { anyTag: ['public'] } });
    expect(await failureOf(complete({ type: 'ref/prompt', name: 'hidden' }))).toEqual({
      code: -32602,
      message: 'Unknown prompt "hidden". Available: review',
      data: { available: ['review'] },
    });
    expect(await failureOf(complete({ type: 'ref/resource', uri: 'docs://{langauge}' }))).toEqual({
      code: -32602,
      message: 'Unknown resource template "docs://{langauge}". Available: docs://{language}',
      data: { suggestion: 'docs://{language}', available: ['docs://{language}'] },
    });
  });

  test('a completing method that throws', async () => {
    const languages = () => {
      throw new Error('no index');
    };
    expect(await failureOf(serve({ languages })(docs))).toMatchObject({
      code: -32603,
      message: '[resource docs] no index',
    });
  });

  test('a completing method that gives no list', async () => {
    expect(await failureOf(serve({ languages: () => 'typescript' })(review))).toMatchObject({
      code: -32603,
      message: expect.stringContaining('array of strings'),
    });
  });
});
