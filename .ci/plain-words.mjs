// The rule of the linter on words that make a sentence hard to read: not in comments, and not in texts.
import { readFileSync } from 'node:fs';

const WORDS = JSON.parse(readFileSync(new URL('plain-words.json', import.meta.url), 'utf8')).map(
  ({ pattern, say }) => ({ pattern: new RegExp(pattern, 'i'), say }),
);

export const plainWords = {
  meta: { type: 'suggestion', messages: { plain: 'Not "{{words}}": {{say}}.' }, schema: [] },
  create(context) {
    const check = (text, loc) => {
      for (const { pattern, say } of WORDS) {
        const found = pattern.exec(text);
        if (found) context.report({ loc, messageId: 'plain', data: { words: found[0].trim(), say } });
      }
    };
    return {
      Program() {
        // A sentence may go on in the next line
        for (const { value, loc } of context.sourceCode.getAllComments())
          check(value.replace(/\n\s*\*/g, '\n'), loc);
      },
      Literal({ value, loc, parent }) {
        const isSpecifier = parent.source !== undefined;
        if (typeof value === 'string' && !isSpecifier) check(value, loc);
      },
      TemplateElement({ value, loc }) {
        check(value.cooked ?? value.raw, loc);
      },
    };
  },
};
