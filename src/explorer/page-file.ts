import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { OnceMade } from '../shared/once-made.ts';

/** The page and the policy that it is sent with. */
export interface PageFile {
  readonly html: Buffer;
  readonly policy: string;
}

/** As far from here as from the files of the built package. */
const FILE = new URL('../../dist/explorer/page.html', import.meta.url);

const page = new OnceMade(async (): Promise<PageFile | undefined> => {
  // The built package always has it
  if (!existsSync(FILE)) return undefined;
  const html = await readFile(FILE);
  return { html, policy: policyOf(html.toString('utf8')) };
});

/** Read once; undefined where the sources run and nothing was built. */
export function pageFile(): Promise<PageFile | undefined> {
  return page.get();
}

/** Allows the scripts and styles that are in the file, by their hashes, and nothing else (CSP 3, 2.3.1). */
export function policyOf(html: string): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': hashesOf(html, 'script'),
    'style-src': hashesOf(html, 'style'),
    'img-src': ['data:'],
    'connect-src': ["'self'"],
    // Views, from the server, each with a policy of its own
    'frame-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`)
    .join('; ');
}

function hashesOf(html: string, element: 'script' | 'style'): readonly string[] {
  // What begins in a script ends with it: a `<style>` in its text is none
  const scriptless = element === 'style' ? html.replace(/<script[^>]*>[\s\S]*?<\/script>/gi, '') : html;
  const found = scriptless.matchAll(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`, 'gi'));
  return [...found].map(([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
}
