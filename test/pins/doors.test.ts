import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { fencedBlocks, readText, ROOT } from './docs/example.ts';

const SAMPLE = 'test/kernel/sample-feature/';

/** The table of doors: for each, the entries of `src` behind it. */
const doors = [
  ...readText('docs/architecture.md').matchAll(/^\| `(\w+)` +\| ((?:`[\w.-]+`,? ?)+) +\|$/gm),
].map(
  ([, door = '', entries = '']) =>
    [door, [...entries.matchAll(/`([\w.-]+)`/g)].map(([, entry = '']) => entry)] as const,
);

describe('the doors', () => {
  test('are eight, and everything in src stands behind one of them', () => {
    expect(doors).toHaveLength(8);
    const entries = readdirSync(`${ROOT}src`).filter((entry) => entry !== 'index.ts');
    expect(doors.flatMap(([, behind]) => behind).sort()).toEqual(entries.sort());
  });

  test.each(doors)('%s says in ten lines where to enter, and names what is there', (_door, [first = '']) => {
    const text = readText(`src/${first}/README.md`);
    expect(text.trimEnd().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
    const paths = [...text.matchAll(/`((?:\.\.\/)*[\w./-]+(?:\/|\.(?:ts|md)))`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(0);
    // Beside the page, in the room above it, or from the root
    const places = [`src/${first}/`, 'src/', ''];
    expect(paths.filter((path) => !places.some((place) => existsSync(`${ROOT}${place}${path}`)))).toEqual([]);
  });
});

test('the page on the architecture names files that are there', () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true }).map(
      (file) => `/${folder}/${String(file).replaceAll('\\', '/')}`,
    ),
  );
  const named = [...readText('docs/architecture.md').matchAll(/`([\w./-]+\.ts)`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

describe('the page on adding a feature', () => {
  test('shows pieces of the sample feature as they stand there, and leaves no member of it out', () => {
    const files = ['feature.ts', 'call-fields.ts'].map((name) => readText(`${SAMPLE}${name}`));
    const pieces = fencedBlocks('docs/CONTRIBUTING.md', 'typescript').map(({ text }) => text);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.filter((piece) => !files.some((file) => file.includes(piece)))).toEqual([]);
    const [, manifest = ''] = (files[0] ?? '').split(' = feature({');
    const members = [...manifest.matchAll(/^ {2}(\w+): /gm)].map(([, member = '']) => member);
    const shown = pieces.join('\n');
    expect(members.filter((member) => !shown.includes(`  ${member}: `))).toEqual([]);
  });

  test('names places that are there', () => {
    const [, section = ''] = /^## Adding a feature\n(.*?)^## /ms.exec(readText('docs/CONTRIBUTING.md')) ?? [];
    const paths = [...section.matchAll(/`((?:src|test)\/[\w./-]+|\.[\w-]+\.cjs)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(7);
    expect(paths.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });
});
