import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { z } from 'zod';
import type { CompletionContext } from '../../src/call/tool-context.ts';
import { Middleware, Injectable } from '../../src/decorators/classes.ts';
import { Complete, Prompt, Resource, Ctx } from '../../src/decorators/members.ts';
import type { SchemaSource } from '../../src/shared/schema-source.ts';
import {
  moduleWith,
  problemOf,
  problemsOf,
  promptOf,
  providerOf,
  resourceOf,
  scan,
} from '../support/scan-helpers.ts';

class Ref {
  @IsString() owner!: string;
}
class Review extends Ref {
  @IsString() path!: string;
}

describe('completions', () => {
  @Injectable()
  class Docs {
    @Prompt() review(_input: Review): void {}
    @Prompt() fix(_input: Review): void {}
    @Resource('docs://{owner}/{+path}{?page}') page(): void {}
    @Complete('review', 'path') paths(_value: string, _context: CompletionContext): string[] {
      return [];
    }
    @Complete('review', 'owner') @Complete('fix', 'owner') @Complete('page', 'owner') owners(): string[] {
      return [];
    }
    @Complete('page', 'page') pages(): string[] {
      return [];
    }
  }
  const application = scan(moduleWith([Docs]));
  const controller = providerOf(application, 'Docs').key;

  test('belong to prompts and templates, in source order', () => {
    const handler = (member: string) => ({ kind: 'method', controller, member, parameters: [] });
    expect(promptOf(application, 'review').completions).toEqual([
      { argument: 'path', where: 'Docs.paths()', handler: handler('paths') },
      { argument: 'owner', where: 'Docs.owners()', handler: handler('owners') },
    ]);
    expect(promptOf(application, 'fix').completions.map(({ argument }) => argument)).toEqual(['owner']);
    expect(
      resourceOf(application, 'page').completions.map(({ argument, where }) => [argument, where]),
    ).toEqual([
      ['owner', 'Docs.owners()'],
      ['page', 'Docs.pages()'],
    ]);
  });

  test('are inherited; an override without @Complete drops them', () => {
    @Injectable()
    class Derived extends Docs {
      override paths(): string[] {
        return [];
      }
    }
    const scanned = scan(moduleWith([Derived]));
    expect(promptOf(scanned, 'review').completions.map(({ where }) => where)).toEqual(['Derived.owners()']);
  });

  test('go with the prompt that an override drops', () => {
    @Injectable()
    class Derived extends Docs {
      override review(): void {}
    }
    expect(scan(moduleWith([Derived])).prompts.map(({ name }) => name)).toEqual(['fix']);
  });
});

describe('problems', () => {
  test('TW_SCAN_COMPLETE_TARGET', () => {
    @Injectable()
    class Docs {
      @Prompt({ name: 'code-review' }) review(_input: Review): void {}
      @Resource('docs://readme') readme(): void {}
      @Complete('reviw', 'path') a(): void {}
      @Complete('code-review', 'path') b(): void {}
      @Complete('readme', 'path') c(): void {}
      @Complete('nothing', 'path') d(): void {}
    }
    expect(
      problemsOf(moduleWith([Docs])).map(({ code, where, what, fix }) => [code, where, what, fix]),
    ).toEqual([
      [
        'TW_SCAN_COMPLETE_TARGET',
        'Docs.a()',
        'completes "reviw", which is neither a prompt nor a template of Docs.',
        'did you mean "review"?',
      ],
      [
        'TW_SCAN_COMPLETE_TARGET',
        'Docs.b()',
        'completes "code-review", which is neither a prompt nor a template of Docs.',
        'did you mean "review"?',
      ],
      [
        'TW_SCAN_COMPLETE_TARGET',
        'Docs.c()',
        'completes "readme", which is a resource with a fixed URI of Docs.',
        'name one of review, or remove @Complete',
      ],
      [
        'TW_SCAN_COMPLETE_TARGET',
        'Docs.d()',
        'completes "nothing", which is neither a prompt nor a template of Docs.',
        'name one of review, or remove @Complete',
      ],
    ]);
  });

  test('TW_SCAN_COMPLETE_ARGUMENT', () => {
    @Injectable()
    class Docs {
      @Prompt() review(_input: Review): void {}
      @Prompt() none(): void {}
      @Resource('docs://{owner}') page(): void {}
      @Complete('review', 'pth') a(): void {}
      @Complete('none', 'path') b(): void {}
      @Complete('page', 'slug') c(): void {}
    }
    expect(
      problemsOf(moduleWith([Docs])).map(({ code, where, what, fix }) => [code, where, what, fix]),
    ).toEqual([
      [
        'TW_SCAN_COMPLETE_ARGUMENT',
        'Docs.a()',
        'completes "pth" of Docs.review(), which has no such argument.',
        'did you mean "path"?',
      ],
      [
        'TW_SCAN_COMPLETE_ARGUMENT',
        'Docs.b()',
        'completes "path" of Docs.none(), which has no such argument.',
        'remove @Complete, for it has no argument',
      ],
      [
        'TW_SCAN_COMPLETE_ARGUMENT',
        'Docs.c()',
        'completes "slug" of Docs.page(), which has no such variable.',
        'name one of owner',
      ],
    ]);
  });

  test.each<readonly [string, SchemaSource, boolean]>([
    ['a Standard Schema', z.object({ path: z.string() }), true],
    ['a JSON Schema', { type: 'object', properties: { path: { type: 'string' } } }, true],
    ['a schema that refers to others', { allOf: [{ type: 'object' }], properties: {} }, false],
    ['a schema without properties', { type: 'object' }, false],
    ['a schema that JSON cannot express', z.object({ path: z.date() }), false],
  ])('the fields of %s are known where they can be read', (_, input, isKnown) => {
    @Injectable()
    class Docs {
      @Prompt({ input }) review(_input: object): void {}
      @Complete('review', 'paht') paths(): void {}
    }
    const root = moduleWith([Docs]);
    if (isKnown) expect(problemOf(root).fix).toBe('did you mean "path"?');
    else expect(promptOf(scan(root), 'review').completions).toHaveLength(1);
  });

  test('nothing is said of arguments that are unknown for another reason', () => {
    @Injectable()
    class Docs {
      @Prompt() review(_input: string): void {}
      @Resource('docs://{') page(): void {}
      @Complete('review', 'x') a(): void {}
      @Complete('page', 'x') b(): void {}
    }
    expect(problemsOf(moduleWith([Docs])).map(({ code }) => code)).toEqual([
      'TW_SCAN_TEMPLATE_INVALID',
      'TW_SCAN_INPUT_UNKNOWN',
    ]);
  });

  test('TW_SCAN_COMPLETE_DUPLICATE', () => {
    @Injectable()
    class Docs {
      @Prompt() review(_input: Review): void {}
      @Complete('review', 'path') a(): void {}
      @Complete('review', 'path') b(): void {}
      @Complete('review', 'owner') @Complete('review', 'owner') c(): void {}
    }
    const problems = problemsOf(moduleWith([Docs]));
    expect(problems.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
      'TW_SCAN_COMPLETE_DUPLICATE Docs.b() completes "path" of Docs.review(), as Docs.a() does.',
      'TW_SCAN_COMPLETE_DUPLICATE Docs.c() completes "owner" of Docs.review() twice.',
    ]);
    expect(problems[0]?.fix).toBe('keep one of the two @Complete');
  });

  test('TW_SCAN_ACTION_MISSING: nothing is injected into a completing method, and nothing runs around it', () => {
    @Injectable()
    class Docs {
      @Prompt() review(_input: Review): void {}
      @Complete('review', 'path') a(_value: string, @Ctx() _ctx: unknown): void {}
      @Complete('review', 'owner') @Middleware(() => 1) b(): void {}
    }
    const problems = problemsOf(moduleWith([Docs]));
    expect(problems.map(({ code, where, fix }) => `${code} ${where} ${fix}`)).toEqual([
      'TW_SCAN_ACTION_MISSING Docs.a() remove @Ctx',
      'TW_SCAN_ACTION_MISSING Docs.b() remove @Middleware',
    ]);
    expect(problems[0]?.why).toContain('CompletionContext');
  });
});
