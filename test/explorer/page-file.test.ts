import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { policyOf } from '../../src/explorer/page-file.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function directivesOf(html: string): Readonly<Record<string, string>> {
  return Object.fromEntries<string>(
    policyOf(html)
      .split('; ')

      .map((directive): [string, string] => [
        directive.split(' ', 1)[0] ?? '',
        directive.slice(directive.indexOf(' ') + 1),
      ]),
  );
}

describe('the policy of the page', () => {
  test('allows nothing but what is in the page and its own origin', () => {
    expect(directivesOf('<p>text</p>')).toEqual({
      'default-src': "'none'",
      'script-src': "'none'",
      'style-src': "'none'",
      'img-src': 'data:',
      'connect-src': "'self'",
      'frame-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  test('names each script and each style by its hash, with all its spaces', () => {
    const html =
      '<style> a{} </style><style>b{}</style><script type="module">\none()</script><script>two()</script>';
    expect(directivesOf(html)).toMatchObject({
      'script-src': `${hashOf('\none()')} ${hashOf('two()')}`,
      'style-src': `${hashOf(' a{} ')} ${hashOf('b{}')}`,
    });
  });

  test('takes nothing in the text of a script for an element', () => {
    const script = 'const text = "<style>c{}</style>"';
    const html = `<STYLE>a{}</STYLE><script>${script}</script>`;
    expect(directivesOf(html)).toMatchObject({ 'script-src': hashOf(script), 'style-src': hashOf('a{}') });
  });

  test('has neither unsafe sources, nor wildcards, nor hosts', () => {
    expect(policyOf('<script>a</script><style>b</style>')).not.toMatch(/unsafe|\*|https?:|blob:/);
  });
});
