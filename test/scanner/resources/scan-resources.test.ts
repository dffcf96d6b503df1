import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import type { Next } from '../../../src/call/middleware.ts';
import { ToolContext } from '../../../src/call/tool-context.ts';
import { Action, Resource, Input } from '../../../src/decorators/members.ts';
import { Injectable, ToolGroup, Middleware } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import {
  decorate,
  labelsOf,
  moduleWith,
  problemOf,
  providerOf,
  resourceOf,
  scan,
} from '../../support/scan-helpers.ts';

class PageRef {
  @IsString() slug!: string;
}
@Injectable()
class Store {}

const named = (label: string) => Object.assign((_call: unknown, next: Next) => next(), { label });
const INPUT = { kind: 'input' };

function moduleOf(...controllers: readonly Class[]): Class {
  return moduleWith(controllers, [Store]);
}

describe('a resource is plain data', () => {
  test('with a fixed URI', () => {
    @Injectable()
    class Docs {
      @Resource('docs://readme', {
        name: 'read.me',
        title: 'Readme',
        description: 'Read first',
        mimeType: 'text/markdown',
        annotations: { audience: ['user'], priority: 1 },
        size: 12,
        icons: [{ src: 'x.png' }],
        tags: ['docs'],
        meta: { a: 1 },
      })
      readme(_store: Store, _ctx: ToolContext): void {}
    }
    const application = scan(moduleOf(Docs));
    expect(application.resources).toEqual([
      {
        kind: 'resource',
        name: 'read.me',
        where: 'Docs.readme()',
        group: undefined,
        title: 'Readme',
        description: 'Read first',
        mimeType: 'text/markdown',
        annotations: { audience: ['user'], priority: 1 },
        size: 12,
        icons: [{ src: 'x.png' }],
        meta: { a: 1 },
        tags: ['docs'],
        input: undefined,
        unknownFields: 'strict',
        slots: {},
        middleware: [],
        handler: {
          kind: 'method',
          controller: providerOf(application, 'Docs').key,
          member: 'readme',
          parameters: [{ kind: 'provider', key: providerOf(application, 'Store').key }, { kind: 'context' }],
        },
        metadata: [],
        target: { kind: 'fixed', uri: 'docs://readme' },
        list: undefined,
        completions: [],
      },
    ]);
    expect(Object.isFrozen(application.resources[0]?.target)).toBe(true);
  });

  test('with a template', () => {
    @Injectable()
    class Docs {
      @Resource('docs://{slug}{?lang,page}') page(_ref: PageRef): void {}
    }
    expect(resourceOf(scan(moduleOf(Docs)), 'page')).toMatchObject({
      input: PageRef,
      target: {
        kind: 'template',
        uriTemplate: 'docs://{slug}{?lang,page}',
        variables: ['slug', 'lang', 'page'],
      },
      handler: { parameters: [INPUT] },
    });
  });
});

describe('the variables of a template', () => {
  test('arrive as a DTO, or with @Input() alone as they are', () => {
    @Injectable()
    class Docs {
      @Resource('a://{slug}') typed(_ctx: ToolContext, _ref: PageRef): void {}
      @Resource('b://{slug}', { input: PageRef }) named(_ref: object): void {}
      @Resource('c://{slug}') explicit(@Input(PageRef) _ref: object): void {}
      @Resource('d://{slug}') plain(@Input() _variables: Record<string, string>): void {}
      @Resource('e://{slug}') none(): void {}
    }
    const found = scan(moduleOf(Docs)).resources.map(({ name, input, handler }) => [
      name,
      input,
      handler.kind === 'method' ? handler.parameters.map(({ kind }) => kind) : undefined,
    ]);
    expect(found).toEqual([
      ['typed', PageRef, ['context', 'input']],
      ['named', PageRef, ['input']],
      ['explicit', PageRef, ['input']],
      ['plain', undefined, ['input']],
      ['none', undefined, []],
    ]);
  });

  test('arrive plain without emitted types as well', () => {
    class Docs {
      page(_variables: unknown): void {}
    }
    decorate(Docs.prototype, 'page', [Resource('docs://{slug}')], { 0: Input() });
    Injectable()(Docs);
    expect(resourceOf(scan(moduleOf(Docs)), 'page')).toMatchObject({
      input: undefined,
      handler: { parameters: [INPUT] },
    });
  });

  test('TW_SCAN_INPUT_UNKNOWN: an erased type without @Input()', () => {
    @Injectable()
    class Docs {
      @Resource('docs://{slug}') page(_variables: Record<string, string>): void {}
    }
    expect(problemOf(moduleOf(Docs))).toMatchObject({
      code: 'TW_SCAN_INPUT_UNKNOWN',
      where: 'Docs.page()',
      fix: "@Input() on a parameter of type Record<string, string>, or @Resource('…', { input: TheClass })",
    });
  });

  test('TW_SCAN_INPUT_UNKNOWN: @Input() on a text, which they are not', () => {
    @Injectable()
    class Docs {
      @Resource('docs://{slug}') page(@Input() _slug: string): void {}
    }
    expect(problemOf(moduleOf(Docs))).toMatchObject({
      code: 'TW_SCAN_INPUT_UNKNOWN',
      why: 'its type is String, and an input must be one class.',
    });
  });
});

test('order, inheritance, groups, tags and middleware are those of prompts', () => {
  class Base {
    @Resource('base://kept') @Middleware(named('own')) kept(): void {}
    @Resource('base://dropped') dropped(): void {}
  }
  @ToolGroup({ name: 'root', tags: ['r'], unknownFields: 'strip' })
  @Middleware(named('root'))
  class Root {}
  @ToolGroup({ name: 'sub', parent: Root })
  @Middleware(named('sub'))
  class Sub extends Base {
    @Action() act(): void {}
    @Resource('sub://own', { tags: ['o'] }) own(): void {}
    override dropped(): void {}
  }
  const application = scan(moduleOf(Root, Sub), { middleware: [named('global')] });
  expect(application.resources).toMatchObject([
    { name: 'kept', where: 'Sub.kept()', group: 'root.sub', tags: ['r'], unknownFields: 'strip' },
    { name: 'own', group: 'root.sub', tags: ['r', 'o'] },
  ]);
  expect(application.resources.map(labelsOf)).toEqual([
    ['global', 'root', 'sub', 'own'],
    ['global', 'root', 'sub'],
  ]);
});
