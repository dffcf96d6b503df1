import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import ts from 'typescript';
import { clientRuleCodes } from '../../src/cli/client-rules/codes.ts';
import { cliCodes } from '../../src/cli/output/cli-error.ts';
import { clientCodes, catalogue } from '../../src/errors/catalogue.ts';
import { workflowCodes } from '../../src/workflow/domain/errors/workflow-error.ts';
import { checkExamples, compilerOptions, type KnownNames } from './docs/check-examples.ts';
import { docFiles, fencedBlocks, readText, ROOT } from './docs/example.ts';
import { jsDocExamples, publicEntries, publicNames } from './docs/public-api.ts';

const NAMES = 'test/pins/docs/example-names.ts';
let program: ts.Program;
let known: readonly KnownNames[];

beforeAll(() => {
  program = ts.createProgram(
    [...publicEntries(), NAMES].map((file) => `${ROOT}${file}`),
    compilerOptions(),
  );
  known = [
    ...publicEntries().map((entry) => knownNames(entry, specifierOf(entry))),
    knownNames(NAMES, `../${NAMES}`),
  ];
});

/** The name of an entry, or its path as seen from the examples where it has no folder of its own. */
function specifierOf(entry: string): string {
  return entry.endsWith('/index.ts') ? entry.replace(/^src/, 'toolwright') : `../${entry}`;
}

function knownNames(entry: string, path: string): KnownNames {
  const names = publicNames(program, entry);
  const files = new Set(names.flatMap(({ file }) => file ?? []));
  return { specifier: path.replace(/\/index\.ts$/, ''), names, files };
}

describe('the documentation', () => {
  test('has examples that compile, in pages and in the comments of the public API; a faulty one is reported by its line', () => {
    const pages = docFiles().flatMap((file) => fencedBlocks(file, 'ts'));
    const comments = jsDocExamples(program);
    expect(pages.length).toBeGreaterThan(30);
    expect(comments.length).toBeGreaterThan(20);
    const faulty = { file: 'docs/page.md', line: 7, text: 'const a = 1;\nconst b: string = a;' };
    expect(checkExamples([...pages, ...comments, faulty], known, program)).toEqual([
      "docs/page.md:8 Type 'number' is not assignable to type 'string'.",
    ]);
  });

  test('has a heading for every error code, and no heading without one', () => {
    const headings = [...readText('docs/errors.md').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    const codes = [clientCodes, catalogue, cliCodes, clientRuleCodes, workflowCodes].flatMap(Object.keys);
    expect([...headings].sort()).toEqual(codes.sort());
  });

  test('has every code that clients get from what the package throws', () => {
    const thrown = readdirSync(`${ROOT}src`, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readText(`src/${file}`).matchAll(/^(?! *\*).*new ToolError\(\s*'([A-Z_]+)'/gm)])
      .map(([, code = '']) => code);
    expect(thrown).toContain('TIMED_OUT');
    expect(thrown.filter((code) => !(code in clientCodes))).toEqual([]);
  });

  test('links to files and headings that exist', () => {
    expect(docFiles().flatMap(brokenLinks)).toEqual([]);
  });

  test('has an index for agents, which fits into what they read at once', () => {
    const text = readText('docs/llms.txt');
    expect(text).toMatch(/^# Toolwright\n\n> .+\n/);
    expect(text.match(/^# /gm)).toHaveLength(1);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024);
    expect(text.split('\n').length).toBeLessThanOrEqual(125);
    expect(brokenLinks('docs/llms.txt')).toEqual([]);
  });

  test('says what a renamed section was called, below its heading', () => {
    const renamed = docFiles().flatMap((file) =>
      [...readText(file).matchAll(/^_Also called: (.*)_$/gm)].map(([, words = '']) => ({ file, words })),
    );
    expect(renamed.length).toBeGreaterThanOrEqual(14);
    for (const { file, words } of renamed)
      expect([file, words]).toEqual([file, expect.stringMatching(/^\S.*\.$/)]);
    const lines = docFiles().flatMap((file) => readText(file).split('\n\n'));
    const places = lines.filter((_, index) => lines[index + 1]?.startsWith('_Also called: ') === true);
    expect(places.filter((line) => !/^#+ /.test(line))).toEqual([]);
  });

  test('ends every sentence that was generated', () => {
    const rows = docFiles()
      .filter((file) => file.startsWith('docs/reference/'))
      .flatMap((file) =>
        [...readText(file).matchAll(/<!-- exports of [^]*?<!-- \/exports -->/g)].flatMap(([block]) =>
          [...block.matchAll(/^\| `.*\| +([^|]*[^|\s]) +\|$/gm)].map(([, text = '']) => `${file}: ${text}`),
        ),
      );
    expect(rows.length).toBeGreaterThan(500);
    expect(rows.filter((text) => !/[.!?:)`]$|\.[*_]+$/.test(text))).toEqual([]);
  });
});

function brokenLinks(file: string): readonly string[] {
  const base = new URL(file, `file://${ROOT}`);
  const targets = [...readText(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, target]) => target ?? '',
  );
  return targets.filter((target) => !isThere(new URL(target, base))).map((target) => `${file}: ${target}`);
}

function isThere({ pathname, hash }: URL): boolean {
  if (!ts.sys.fileExists(pathname)) return hash === '' && ts.sys.directoryExists(pathname);
  if (hash === '') return true;
  const headings = [...readText(pathname.replace(ROOT, '')).matchAll(/^#+ (.+)$/gm)];
  return headings.some(([, heading = '']) => `#${anchorOf(heading)}` === hash);
}

/** As GitHub makes anchors of headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
