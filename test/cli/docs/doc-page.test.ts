import { expect, test } from '@jest/globals';
import { readSections, squeezeMarkdown, writeExcerpt } from '../../../src/cli/docs/doc-page.ts';

const PAGE = `# A \`page\`

Begins.

## Same [link](other.md)

\`\`\`sh
# a comment, and no heading
\`\`\`

## Same link

### \`@Field(options)\`
`;

test('a page is taken apart at its headings, with anchors as GitHub makes them', () => {
  expect(readSections('a.md', PAGE)).toEqual([
    { id: 'a.md', title: 'A page', level: 1, line: 1, text: 'Begins.' },
    {
      id: 'a.md#same-link',
      title: 'Same link',
      level: 2,
      line: 5,
      text: '```sh\n# a comment, and no heading\n```',
    },
    { id: 'a.md#same-link-1', title: 'Same link', level: 2, line: 11, text: '' },
    { id: 'a.md#fieldoptions', title: '@Field(options)', level: 3, line: 13, text: '' },
  ]);
  expect(readSections('empty.md', '')).toEqual([]);
});

test('tables lose their padding, and comments are left out', () => {
  const padded =
    '<!-- generated -->\n\n| a    | b |\n| ---- | ------ |\n\n  code   stays\n\n<!-- /generated -->\n';
  expect(squeezeMarkdown('Between `<!-- a -->` and<!-- b --> c')).toBe('Between `<!-- a -->` and c');
  expect(squeezeMarkdown(padded)).toBe('| a | b |\n| --- | --- |\n\n  code   stays');
});

test('an excerpt begins with the sentence that has the word', () => {
  const text = `${'One thing here. '.repeat(20)}Then the [limit](x.md) counts. ${'More of it. '.repeat(40)}`;
  const excerpt = writeExcerpt(text, ['nowhere', 'limit']);
  expect(excerpt).toMatch(/^Then the limit counts\. More of it\. .* …$/);
  expect(excerpt.length).toBeLessThanOrEqual(242);
  expect(writeExcerpt('Short.', ['nowhere'])).toBe('Short.');
  expect(writeExcerpt(`${'word '.repeat(100)}limit`, ['limit'])).toMatch(/^word .{50,}limit$/);
});
