import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const LINK = /\]\((?![a-z]+:|#)([^)\s#]+)/g;

/** Code may look like a link (`sink[method](record)`), and links to nothing. */
const CODE = /^ *(`{3,})[^]*?^ *\1 *$|(`+)[^]+?\2/gm;

/** In the package alone, every link of its pages leads somewhere. */
export async function checkLinks(home: string): Promise<void> {
  const files = await readdir(home, { recursive: true });
  const pages = files.filter((file) => file.endsWith('.md'));
  for (const page of ['README.md', 'CHANGELOG.md', join('docs', 'errors.md')])
    assert.ok(pages.includes(page), page);
  const dead: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(home, page), 'utf8');
    for (const [, target = ''] of text.replaceAll(CODE, '').matchAll(LINK)) {
      if (!existsSync(new URL(target, pathToFileURL(join(home, page))))) dead.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(dead, []);
}

/** What users need is there, and nothing that leads to files which are not. */
export async function checkFiles(home: string): Promise<void> {
  const files = await readdir(home, { recursive: true });
  assert.match(
    await readFile(join(home, 'LICENSE'), 'utf8'),
    /^MIT License\n\nCopyright .* the Toolwright contributors/,
  );
  assert.deepEqual(
    files.filter((file) => file.endsWith('.map') || file.includes('.vitepress')),
    [],
  );
  for (const file of ['docs/pages.json', 'examples/starter/AGENTS.md'])
    assert.ok(files.includes(join(file)), file);
  for (const file of files.filter((name) => /^dist.*\.js$/.test(name))) {
    // The loader has the words in a text: only a comment of the file names its map
    assert.doesNotMatch(await readFile(join(home, file), 'utf8'), /^\/\/# sourceMappingURL/m, file);
  }
}
