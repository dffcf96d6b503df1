import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Injectable } from '../../../src/decorators/classes.ts';
import { Input, Resource } from '../../../src/decorators/members.ts';
import type { ResourceOptions } from '../../../src/metadata/options.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { moduleWith, problemOf, problemsOf, scan } from '../../support/scan-helpers.ts';

class PageRef {
  @IsString() slug!: string;
}

function moduleOf(...controllers: readonly Class[]): Class {
  return moduleWith(controllers);
}

function resourceWith(uri: unknown, options: ResourceOptions = {}): Class {
  @Injectable()
  class Docs {
    @Resource(uri as string, options) page(): void {}
  }
  return moduleOf(Docs);
}

describe('problems', () => {
  test.each([
    ['readme', 'has the URI "readme", which is none.', "@Resource('docs://readme')"],
    ['/docs/readme', 'has the URI "/docs/readme", which is none.', "@Resource('docs://docs/readme')"],
    ['', 'has the URI "", which is none.', "@Resource('docs://readme')"],
    [undefined, 'has undefined for a URI.', "@Resource('docs://readme')"],
  ])('TW_SCAN_URI_INVALID: %p', (uri, what, fix) => {
    expect(problemOf(resourceWith(uri))).toMatchObject({
      code: 'TW_SCAN_URI_INVALID',
      where: 'Docs.page()',
      what,
      fix,
    });
  });

  test.each([
    ['docs://{slug', 'A brace in it opens or closes nothing'],
    ['docs://slug}', 'A brace in it opens or closes nothing'],
    ['docs://{a}/{a}', 'The variable "a" stands in it twice.'],
    [
      'docs:/{/path*}',
      '"path*" stands for a list or the beginning of a value, but a variable is one whole text.',
    ],
  ])('TW_SCAN_TEMPLATE_INVALID: %s', (uri, why) => {
    expect(problemOf(resourceWith(uri))).toMatchObject({
      code: 'TW_SCAN_TEMPLATE_INVALID',
      where: 'Docs.page()',
      what: `has the template "${uri}", which no URI could be matched with.`,
      why: expect.stringContaining(why),
      fix: 'write a variable as {name}, and one that may contain slashes as {+name}',
    });
  });

  test('TW_SCAN_TEMPLATE_INVALID: no scheme', () => {
    expect(problemOf(resourceWith('/docs/{slug}'))).toMatchObject({
      code: 'TW_SCAN_TEMPLATE_INVALID',
      why: 'it has no scheme.',
      fix: "@Resource('docs://docs/{slug}')",
    });
    expect(scan(resourceWith('{+uri}')).resources).toHaveLength(1);
    expect(scan(resourceWith('db{kind}://x')).resources).toHaveLength(1);
  });

  test.each([
    ['docs://a', { list: 'x' }, 'sets list, which counts on a template only.'],
    ['docs://a', { input: PageRef }, 'sets input, which counts on a template only.'],
    ['docs://{a}', { size: 1 }, 'sets size, which counts on a fixed URI only.'],
  ])('TW_SCAN_RESOURCE_OPTION: %s with %p', (uri, options, what) => {
    expect(problemOf(resourceWith(uri, options))).toMatchObject({
      code: 'TW_SCAN_RESOURCE_OPTION',
      where: 'Docs.page()',
      what,
      fix: what.includes('template') ? expect.stringContaining("@Resource('…/{name}')") : 'remove size',
    });
  });

  test('TW_SCAN_INPUT_UNEXPECTED: a fixed URI has no variables', () => {
    @Injectable()
    class Docs {
      @Resource('docs://a') dto(_ref: PageRef): void {}
      @Resource('docs://b') explicit(@Input() _ref: object): void {}
    }
    const problems = problemsOf(moduleOf(Docs));
    expect(problems.map(({ code, where }) => `${code} ${where}`)).toEqual([
      'TW_SCAN_INPUT_UNEXPECTED Docs.dto()',
      'TW_SCAN_INPUT_UNEXPECTED Docs.explicit()',
    ]);
    expect(problems[0]).toMatchObject({
      what: 'takes an input (parameter #1), but a fixed URI has none.',
      fix: "remove the parameter, or write a template: @Resource('…/{name}')",
    });
  });

  test('TW_SCAN_PARAMETER_UNKNOWN: any other parameter of a fixed URI', () => {
    @Injectable()
    class Docs {
      @Resource('docs://a') a(_path: string): void {}
    }
    expect(problemOf(moduleOf(Docs))).toMatchObject({
      code: 'TW_SCAN_PARAMETER_UNKNOWN',
      where: 'Docs.a() #1',
    });
  });

  test('TW_SCAN_RESOURCE_DUPLICATE: URIs and templates differ, names need not', () => {
    @Injectable()
    class First {
      @Resource('docs://a', { name: 'same' }) a(): void {}
      @Resource('docs://{slug}/{page}', { name: 'same' }) b(): void {}
      @Resource('find://x{?q}') c(): void {}
    }
    @Injectable()
    class Second {
      @Resource('docs://a') a(): void {}
      @Resource('docs://{x}/{y}') b(): void {}
      @Resource('find://x{?other}') c(): void {}
      @Resource('docs://{+path}') d(): void {}
    }
    expect(scan(moduleOf(First)).resources.map(({ name }) => name)).toEqual(['same', 'same', 'c']);
    const problems = problemsOf(moduleOf(First, Second));
    expect(problems.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
      'TW_SCAN_RESOURCE_DUPLICATE Second.a() serves "docs://a" beside First.a().',
      'TW_SCAN_RESOURCE_DUPLICATE Second.b() serves "docs://{x}/{y}" beside First.b(), whose "docs://{slug}/{page}" fits the same URIs.',
    ]);
    expect(problems[0]?.fix).toBe('give one of them another URI, or remove it');
  });

  test('misspelt options, annotations and names', () => {
    @Injectable()
    class Docs {
      @Resource('docs://a', { mimetype: 'x' } as object) a(): void {}
      @Resource('docs://b', { annotations: { prio: 1 } as object }) b(): void {}
      @Resource('docs://c', { annotations: { audience: ['users'] as never } }) c(): void {}
      @Resource('docs://d', { name: '' }) d(): void {}
    }
    expect(problemsOf(moduleOf(Docs)).map(({ code, where, fix }) => [code, where, fix])).toEqual([
      ['TW_SCAN_OPTION_UNKNOWN', 'Docs.a()', 'did you mean "mimeType"?'],
      ['TW_SCAN_OPTION_UNKNOWN', 'Docs.b()', 'remove it; known are audience, priority, lastModified'],
      ['TW_SCAN_OPTION_VALUE', 'Docs.c()', 'did you mean "user"?'],
      ['TW_SCAN_NAME_INVALID', 'Docs.d()', "@Resource('…', { name: 'a-name' })"],
    ]);
  });
});
