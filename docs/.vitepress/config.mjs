/** The site: `npm run docs:site` builds it into `dist`, `npm run docs:dev` serves it while pages are written. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { readPages, SECTIONS } from '../../.ci/doc-pages.mjs';
import { adaptMarkdown, slugify } from './markdown.mjs';
import { writePlainFiles } from './plain-files.mjs';

const { pages } = readPages();
const alsoByPath = new Map(pages.map(({ path, also = '' }) => [path, also]));

/** A README is the first page of its folder. */
const toAddress = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md');
const rewrites = Object.fromEntries(
  ['README.md', 'commands/README.md', 'decisions/README.md'].map((path) => [path, toAddress(path)]),
);

const sidebar = [
  { text: 'All pages', link: '/' },
  ...SECTIONS.map((section) => ({
    text: section,
    items: pages
      .filter((page) => page.section === section)
      .map(({ path, title }) => ({
        text: title.replaceAll('`', ''),
        link: `/${toAddress(path).replace(/(?:index)?\.md$/, '')}`,
      })),
  })),
];

// The pages are outside of the folder that has Vue
const vue = dirname(createRequire(import.meta.url).resolve('vue/package.json'));

export default defineConfig({
  title: 'Toolwright',
  description: 'A class framework for MCP servers in TypeScript',
  lang: 'en',
  cacheDir: fileURLToPath(new URL('../../.cache/site', import.meta.url)),
  srcExclude: ['**/node_modules/**'],
  rewrites,
  // A browser would ask for one
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // In a page that is compiled, `<name: value>` in prose would be a tag without an end
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    // Braces in prose are no attributes
    attrs: { disable: true },
    config: adaptMarkdown,
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (text, env, md) => {
          // Other words for what is in a page, which the index has
          const also = alsoByPath.get(env.relativePath) ?? '';
          return md.render(
            text.replace(/^# .+$/m, (title) => `${title}\n\n${also}`),
            env,
          );
        },
        miniSearch: {
          // Codes stay whole, so that they are found by their names
          options: { tokenize: (text) => text.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((word) => word !== '') },
          searchOptions: {
            // Sent to the browser as text: it has to stand alone
            boostDocument: (id) =>
              /\/guides\//.test(id) ? 2 : /\/(?:reference\/|errors)/.test(id) ? 0.7 : 1,
          },
        },
      },
    },
  },
  vite: {
    // The index of the search has all pages
    build: { chunkSizeWarningLimit: 8000 },
    resolve: {
      alias: [
        { find: /^vue$/, replacement: `${vue}/dist/vue.runtime.esm-bundler.js` },
        { find: /^vue\/server-renderer$/, replacement: `${vue}/server-renderer/index.mjs` },
      ],
    },
  },
  transformHead: ({ page }) => {
    if (page === '404.md') return [];
    const source = Object.keys(rewrites).find((path) => rewrites[path] === page) ?? page;
    return [['link', { rel: 'alternate', type: 'text/markdown', href: `/${source}` }]];
  },
  buildEnd: ({ outDir }) => writePlainFiles(outDir),
});
