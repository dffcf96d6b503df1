import ts from 'typescript';
import { compilerOptions } from '../pins/docs/check-examples.ts';
import { docFiles, readText, ROOT } from '../pins/docs/example.ts';
import { publicComments, publicEntries, publicNames } from '../pins/docs/public-api.ts';

/** What is exported and not explained, each by its entry and name: `src/index.ts#Action`. */
export interface Undocumented {
  readonly valuesWithoutReference: readonly string[];
  readonly typesWithoutReference: readonly string[];
  readonly valuesWithoutDocstring: readonly string[];
  readonly typesWithoutDocstring: readonly string[];
}

/** Compares what the public entries export with the pages of `docs/reference` and with their docstrings. */
export function findUndocumented(): Undocumented {
  const program = ts.createProgram(
    publicEntries().map((entry) => `${ROOT}${entry}`),
    compilerOptions(),
  );
  const pages = docFiles().filter((file) => file.startsWith('docs/reference/'));
  const explained = codeNames(pages.map(readText));
  const exported = publicEntries().flatMap((entry) => {
    const comments = publicComments(program, entry);
    return publicNames(program, entry).map(({ name, isType }) => ({
      place: `${entry}#${name}`,
      isType,
      hasReference: explained.has(name),
      hasDocstring: comments.has(name),
    }));
  });
  const placesOf = (filtered: typeof exported): readonly string[] => filtered.map(({ place }) => place);
  return {
    valuesWithoutReference: placesOf(exported.filter(({ isType, hasReference }) => !isType && !hasReference)),
    typesWithoutReference: placesOf(exported.filter(({ isType, hasReference }) => isType && !hasReference)),
    valuesWithoutDocstring: placesOf(exported.filter(({ isType, hasDocstring }) => !isType && !hasDocstring)),
    typesWithoutDocstring: placesOf(exported.filter(({ isType, hasDocstring }) => isType && !hasDocstring)),
  };
}

/** The names that stand in the code of pages: in fenced blocks, and between backticks. */
export function codeNames(pages: readonly string[]): ReadonlySet<string> {
  const code = pages.flatMap((page) => page.match(/^```[^]*?^```$|`[^`\n]+`/gm) ?? []);
  return new Set(code.flatMap((text) => text.match(/[\p{L}_$][\p{L}\d_$]*/gu) ?? []));
}
