import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docFiles, readText } from '../pins/docs/example.ts';

/** Pages that are not there byte for byte, and what is wrong with the files for agents. */
export function checkTwins(site: string): readonly string[] {
  const pages = docFiles().filter((file) => file !== 'README.md');
  const faults = [...pages, 'docs/llms.txt'].filter((file) => {
    const copy = join(site, file.replace('docs/', ''));
    return !existsSync(copy) || readFileSync(copy, 'utf8') !== readText(file);
  });
  const all = readFileSync(join(site, 'llms-full.txt'), 'utf8');
  const [, count] = /(\d+) pages of/.exec(all) ?? [];
  const titles: readonly string[] = all.match(/^<!-- .+\.md -->$/gm) ?? [];
  return [
    ...faults.map((file) => `${file} is not there as it was written`),
    ...(Number(count) === titles.length && titles.length > 40
      ? []
      : ['llms-full.txt has another head than body']),
    ...(titles.includes('<!-- reference/types.md -->') ? ['llms-full.txt has the types'] : []),
  ];
}

interface BuiltPage {
  readonly path: string;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}

function readBuilt(site: string): readonly BuiltPage[] {
  const paths = readdirSync(site, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html') && path !== '404.html');
  return paths.map((path) => {
    const html = readFileSync(join(site, path), 'utf8');
    return {
      path,
      ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
      links: [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = '']) =>
        link.replaceAll('&amp;', '&'),
      ),
    };
  });
}

/** Links between pages that lead nowhere. VitePress looks for the pages alone. */
export function checkLinks(site: string): readonly string[] {
  const pages = new Map(readBuilt(site).map((page) => [`/${page.path}`, page]));
  const faults: string[] = [];
  let withAnchor = 0;
  for (const { path, links } of pages.values())
    for (const link of links) {
      const { pathname, hash, origin } = new URL(link, `http://site/${path}`);
      if (origin !== 'http://site') continue;
      const target = pages.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (hash !== '') withAnchor += 1;
      if (target === undefined && !existsSync(join(site, pathname))) faults.push(`${path}: ${link}`);
      else if (target !== undefined && hash !== '' && !target.ids.has(decodeURIComponent(hash.slice(1))))
        faults.push(`${path}: ${link}`);
    }
  return withAnchor > 500 ? faults : [...faults, `only ${String(withAnchor)} links have an anchor`];
}

/** Compares the addresses of the sidebar with the index. */
export function checkAddresses(site: string): readonly string[] {
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const [, sidebar = ''] = /<aside class="VPSidebar"([^]*?)<\/aside>/.exec(html) ?? [];
  const shown = [...sidebar.matchAll(/<a class="[^"]*" href="([^"]+)"/g)].map(([, link = '']) => link);
  const listed = [...readText('docs/llms.txt').matchAll(/^- \[.+?\]\(([^)]+)\)/gm)].map(
    ([, path = '']) => `/${path.replace(/README\.md$/, '').replace(/\.md$/, '.html')}`,
  );
  const wanted = ['/', ...listed];
  return wanted.join('\n') === shown.join('\n')
    ? []
    : wanted.filter((link, at) => shown[at] !== link).map((link) => `not in its place: ${link}`);
}
