/** Reads Markdown as GitHub does, where VitePress would not. */

/** The anchor of a heading as GitHub makes it, so that links lead to the same place in both. */
export function slugify(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Code comes first, so that a comment in code stays. */
const COMMENT = /^```[^]*?^```|`[^`\n]+`|<!--[^]*?-->/gm;

export function leaveOutComments(text) {
  return text.replaceAll(COMMENT, (found) => (found.startsWith('<!--') ? '' : found));
}

/** Leaves comments out, which a page without HTML would print, and leads links to a README to the page of its folder. */
export function adaptMarkdown(md) {
  // `README.md` in prose is not an address in Moldova
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.core.ruler.after('normalize', 'leave-out-comments', (state) => {
    state.src = leaveOutComments(state.src);
  });
  md.core.ruler.push('link-to-folders', (state) => {
    for (const { children } of state.tokens)
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null;
        // Links with a scheme are of others
        if (href === null || /^[a-z]+:/.test(href)) continue;
        token.attrSet('href', href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md'));
      }
  });
}
