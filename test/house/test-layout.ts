import { readdirSync } from 'node:fs';
import { ROOT } from '../pins/docs/example.ts';
import type { SourceFile } from './source-tree.ts';

/** The tests that {@link strayTests} finds in the clone. */
export function findStrayTests(tree: readonly SourceFile[]): readonly string[] {
  const files = readdirSync(`${ROOT}test`, { recursive: true });
  return strayTests(
    files.map((file) => String(file).replaceAll('\\', '/')),
    tree.map(({ path }) => path),
  );
}

/**
 * Tests in the folder of a part of `src` that no file or folder there has the name of: `test/a/b.test.ts` and
 * `test/a/b.aspect.test.ts` are about `src/a/b.ts` or `src/a/b/`.
 */
export function strayTests(tests: readonly string[], sources: readonly string[]): readonly string[] {
  const known = new Set(sources.flatMap((path) => [path.replace(/\.ts$/, ''), ...foldersOf(path)]));
  return tests.filter((path) => {
    const [part = ''] = path.split('/');
    const subject = path.replace(/^(.*\/[^/.]+)[^/]*$/, '$1');
    return path.endsWith('.test.ts') && known.has(part) && !known.has(subject);
  });
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
