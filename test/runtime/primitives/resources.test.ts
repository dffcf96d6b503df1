import { describe, expect, test } from '@jest/globals';
import { IsInt } from 'class-validator';
import type { RequestContext } from '../../../src/call/request-context.ts';
import type { ReadResourceResult } from '../../../src/call/results.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { ToolError } from '../../../src/errors/tool-error.ts';
import { createResourceService } from '../../../src/runtime/primitives/resources.ts';
import type { ResourceService } from '../../../src/runtime/routes/service-parts.ts';
import type { ServiceOptions } from '../../../src/runtime/primitives/primitives.ts';
import type { ScannedResource } from '../../../src/scanner/resources/scan-resources.ts';
import { callIn } from '../../support/call-of.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import {
  compileResource,
  failureOf,
  fakeRequest,
  fakeResolver,
  method,
  run,
  scannedResource,
  sendTo,
  serviceOptions,
} from '../../support/primitives.ts';

class TaskRef {
  @IsInt() id!: number;
}

function serve(
  resources: readonly ScannedResource[],
  options: Partial<ServiceOptions> = {},
  resolver = fakeResolver(),
) {
  const compiled = resources.map((resource) => compileResource(resource, resolver));
  return served(createResourceService(() => compiled, serviceOptions(options)));
}

/** A service with a way to read its resources. */
function served(service: ResourceService) {
  const send = sendTo({ resources: service });
  const read = (uri: string, exchange: RequestContext): Promise<ReadResourceResult> =>
    send('resources/read', { uri }, exchange);
  return { ...service, read };
}

function listing(list: (context: ToolContext) => unknown, logger = new MemoryLogger()) {
  const template = scannedResource('task', 'task://{id}', {
    title: 'Task',
    description: 'A task',
    mimeType: 'text/plain',
    annotations: { priority: 1 },
    icons: [{ src: 'https://example.com/a.png' }],
    list: { ...method('all'), parameters: [{ kind: 'context' }] },
  });
  const fixed = scannedResource('readme', 'task://readme');
  return serve([template, fixed], { logger }, fakeResolver({ all: list }));
}

const exchange = fakeRequest();
const echo = run((input: unknown) => JSON.stringify(input));

test('a list with resources of a feature is made once, as long as both are the same', async () => {
  const compiled = [compileResource(scannedResource('readme', 'task://readme'), fakeResolver())];
  let added = Object.freeze([Object.freeze({ uri: 'sample://one', name: 'one' })]);
  const features = [{ name: 'sample', resources: () => added }];
  const send = sendTo({ resources: createResourceService(() => compiled, serviceOptions()) }, features);
  const written = Object.assign(fakeRequest(), { encoder: {} });
  const list = () => send('resources/list', {}, written);
  const first = await list();
  expect(first).toMatchObject({ resources: [{ uri: 'task://readme' }, { uri: 'sample://one' }] });
  expect(await list()).toBe(first);
  added = Object.freeze([...added]);
  expect(await list()).not.toBe(first);
});

describe('reading a resource', () => {
  const service = serve([
    scannedResource('any', 'note://{id}', { handler: echo, mimeType: 'text/any' }),
    scannedResource('later', 'note://{name}', { handler: run(() => 'never') }),
    scannedResource('fixed', 'note://fixed', { handler: run(() => 'fixed') }),
    scannedResource('task', 'task://{id}', { handler: echo, input: TaskRef }),
    scannedResource('nothing', 'none://{id}', { handler: run(() => null) }),
  ]);

  test.each([
    ['a fixed URI before the templates', 'note://fixed', 'fixed'],
    ['the first template that matches, with its decoded variables', 'note://a%20b', '{"id":"a b"}'],
    ['a template whose variables are validated', 'task://7', '{"id":7}'],
  ])('finds %s', async (_name, uri, text) => {
    expect(await service.read(uri, exchange)).toMatchObject({ contents: [{ uri, text }] });
    expect(service.knows(uri)).toBe(true);
  });

  test('takes no URI that is longer than 8,192 characters', async () => {
    const start = 'note://';
    const longest = `${start}${'x'.repeat(8192 - start.length)}`;
    expect(await service.read(longest, exchange)).toMatchObject({ contents: [{ uri: longest }] });
    expect(service.knows(longest)).toBe(true);
    expect(service.knows(`${longest}x`)).toBe(false);
    expect(await failureOf(service.read(`${longest}x`, exchange))).toMatchObject({ code: -32602 });
  });

  test('refuses variables that are not valid', async () => {
    expect(await failureOf(service.read('task://x', exchange))).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Validation failed: id: /),
      data: { issues: [{ path: 'id', received: 'string "x"' }] },
    });
  });

  test('does not find what is not there, and suggests a near fixed URI', async () => {
    expect(await failureOf(service.read('other://fixed', exchange))).toEqual({
      code: -32602,
      message: 'Resource not found: other://fixed',
      data: { uri: 'other://fixed' },
    });
    expect((await failureOf(service.read('mote://fixed', exchange))).data).toEqual({
      uri: 'mote://fixed',
      suggestion: 'note://fixed',
    });
    expect(service.knows('mote://fixed')).toBe(false);
  });

  test('does not find what the handler does not find', async () => {
    expect(await failureOf(service.read('none://1', exchange))).toEqual({
      code: -32602,
      message: 'Resource not found: none://1',
      data: { uri: 'none://1' },
    });
  });

  test('names the resource when its handler fails', async () => {
    const handler = run(() => {
      throw new ToolError('LOCKED', 'It is locked', { retryAfter: 1 });
    });
    const failing = serve([scannedResource('doc', 'doc://a', { handler })]);
    expect(await failureOf(failing.read('doc://a', exchange))).toEqual({
      code: -32603,
      message: '[resource doc] It is locked',
      data: { code: 'LOCKED', retryAfter: 1 },
    });
  });

  test('hides nothing of an error but what it did not declare', async () => {
    const handler = run(() => ({ big: 1n }));
    const failing = serve([scannedResource('doc', 'doc://a', { handler })], { maskErrors: true });
    expect((await failureOf(failing.read('doc://a', exchange))).message).toMatch(
      /^\[resource doc\] The resource failed\. Reference: [\w-]+$/,
    );
  });
});

describe('a filter', () => {
  const service = serve(
    [
      scannedResource('secret', 'note://a', { tags: ['admin'] }),
      scannedResource('secrets', 'admin://{id}', { tags: ['admin'], list: method('all') }),
      scannedResource('open', 'note://b', { tags: ['public'] }),
    ],
    { filter: { anyTag: ['public'] } },
  );

  test('hides from both lists', async () => {
    expect((await service.list(callIn(exchange))).map(({ uri }) => uri)).toEqual(['note://b']);
    expect(service.templates()).toEqual([]);
  });

  test('hides from read, and gives no hint of what it hides', async () => {
    for (const uri of ['note://a', 'admin://1']) {
      expect(await failureOf(service.read(uri, exchange))).toMatchObject({
        message: `Resource not found: ${uri}`,
      });
      expect(service.knows(uri)).toBe(false);
    }
    expect((await failureOf(service.read('admin://1', exchange))).data).toEqual({ uri: 'admin://1' });
  });
});

describe('listing', () => {
  test('gives the fixed resources, then what templates list, filled in from the template', async () => {
    const service = listing(({ requestId }) => [
      { uri: 'task://1' },
      {
        uri: 'task://2',
        name: 'two',
        title: 'Two',
        mimeType: 'text/html',
        size: 3,
        annotations: { priority: 0 },
      },
      { uri: `task://${String(requestId)}`, annotations: undefined },
    ]);
    const inherited = {
      name: 'task',
      title: 'Task',
      description: 'A task',
      mimeType: 'text/plain',
      annotations: { priority: 1 },
      icons: [{ src: 'https://example.com/a.png' }],
    };
    expect(await service.list(callIn(exchange))).toEqual([
      { name: 'readme', uri: 'task://readme' },
      { ...inherited, uri: 'task://1' },
      {
        ...inherited,
        uri: 'task://2',
        name: 'two',
        title: 'Two',
        mimeType: 'text/html',
        size: 3,
        annotations: { priority: 0 },
      },
      { ...inherited, uri: 'task://request-1' },
    ]);
    expect(service.templates()).toEqual([{ ...inherited, uriTemplate: 'task://{id}' }]);
  });

  test('names each URI once, and a fixed resource wins', async () => {
    const service = listing(() => [{ uri: 'task://readme' }, { uri: 'task://1' }, { uri: 'task://1' }]);
    const listed = await service.list(callIn(exchange));
    expect(listed.map(({ name, uri }) => [name, uri])).toEqual([
      ['readme', 'task://readme'],
      ['task', 'task://1'],
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no array', { uri: 'task://1' }, 'gives an array'],
    ['no object', ['task://1'], 'list.0: must be an object'],
    ['no uri', [{ uri: 'task://1' }, { name: 'a' }], 'list.1.uri: must be a string'],
    ['a foreign uri', [{ uri: 'other://1' }], 'list.0.uri: does not match task://{id}'],
    ['an empty name', [{ uri: 'task://1', name: '' }], 'list.0.name'],
    ['a wrong size', [{ uri: 'task://1', size: '3' }], 'list.0.size'],
    ['wrong annotations', [{ uri: 'task://1', annotations: { priority: 2 } }], 'list.0.annotations'],
  ])('fails and is logged when a template lists %s', async (_name, value, message) => {
    const logger = new MemoryLogger();
    const { code, message: told } = await failureOf(
      Promise.resolve(listing(() => value, logger).list(callIn(exchange))),
    );
    expect(code).toBe(-32603);
    expect(told).toMatch(/^\[resource task\] /);
    expect(told).toContain(message);
    expect(logger.records).toMatchObject([{ level: 'error', event: 'call.invalid-output' }]);
  });

  test('runs the list method of a request-scoped controller in a scope of its own', async () => {
    const scopes = { opened: 0, closed: 0 };
    const resolver = fakeResolver({ all(this: { number: number }) { return [{ uri: `task://${this.number}` }]; } }, scopes); // oxfmt-ignore
    const service = serve([scannedResource('task', 'task://{id}', { list: method('all') })], {}, resolver);
    expect(await service.list(callIn(exchange))).toEqual([{ name: 'task', uri: 'task://1' }]);
    expect(scopes).toEqual({ opened: 1, closed: 1 });
  });
});
