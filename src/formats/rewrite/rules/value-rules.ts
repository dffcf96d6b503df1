import type { PlainObject } from '../../../shared/json.ts';
import type { Draft } from '../draft.ts';
import { isAnnotation } from '../join-objects.ts';
import type { Rule } from '../rule.ts';
import { listsStructures, typesOf } from '../types.ts';
import { keep } from './basic-rules.ts';

/** Keywords that are about numbers, and stand beside a text now. */
const ABOUT_NUMBERS = ['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** T: the values become texts, which decoding turns back. */
export const asStrings: Rule = {
  letter: 'T strings',
  write: (draft, keyword, value) => {
    writeStrings(draft, value as readonly unknown[]);
    draft.lose(keyword, 'transformed', `the values of ${keyword} became texts.`);
  },
  finish: finishStrings,
};

/** T: objects and lists become JSON texts, because a closed object cannot hold what only a listed value names. */
export const asJsonTexts: Rule = {
  letter: 'T strings',
  shape: (node, draft) => {
    if (draft.position.isRoot || !listsStructures(node)) return node;
    const { source } = draft.rewriter;
    const path = source.pathOf(node);
    // What else is said about the value would be said about the text; the listed values say more
    const kept = source
      .partsOf(node)
      .filter(({ keyword }) => ['enum', 'const'].includes(keyword) || isAnnotation(keyword));
    return source.derive(path, [{ keyword: 'type', value: 'string', place: path }, ...kept]);
  },
  write: (draft, keyword, value) => {
    writeStrings(draft, keyword === 'const' ? [value] : (value as readonly unknown[]));
    draft.lose(keyword, 'transformed', `the values of ${keyword} became texts.`);
  },
};

/** T: the value becomes an enum of one text. */
export const constAsString: Rule = {
  letter: 'T string enum',
  write: (draft, keyword, value) => {
    writeStrings(draft, [value]);
    draft.lose(keyword, 'transformed', `the value of ${keyword} became an enum of one text.`);
  },
};

/** t: an enum of one. */
export const constAsEnum: Rule = {
  letter: 't enum of one',
  write: (draft, _keyword, value) => draft.put('enum', [value]),
};

function writeStrings(draft: Draft, listed: readonly unknown[]): void {
  const values = new Map<string, unknown>();
  for (const value of listed) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!values.has(text)) values.set(text, value);
  }
  draft.put('enum', [...values.keys()]);
  draft.note = { ...draft.note, values };
}

/** Makes a text of what was a number, once its keywords are written. */
function finishStrings({ out, note }: Draft): void {
  const { values } = note;
  if (values === undefined) return;
  out.set('type', 'string');
  for (const keyword of ABOUT_NUMBERS) out.delete(keyword);
  for (const [text, value] of values) if (out.get('default') === value) out.set('default', text);
}

/** K, in a target whose enums know no null: that becomes an alternative. */
export const enumOrNull: Rule = {
  ...keep,
  shape: (node, draft) => {
    const { enum: listed } = node;
    if (!Array.isArray(listed) || !listed.includes(null) || listed.length < 2) return node;
    const { source } = draft.rewriter;
    const path = source.pathOf(node);
    const types = typesOf(node);
    const others = types.filter((type) => type !== 'null');
    const parts = source.partsOf(node).flatMap((part) => {
      if (part.keyword === 'enum') return [{ ...part, value: listed.filter((value) => value !== null) }];
      if (part.keyword === 'type') return [{ ...part, value: others.length === 1 ? others[0] : others }];
      return [part];
    });
    if (types.length > 0 && others.length === types.length) return source.derive(path, parts);
    const nothing: PlainObject = source.derive(path, [{ keyword: 'type', value: 'null', place: path }]);
    return source.derive(path, [
      { keyword: 'anyOf', value: [source.derive(path, parts), nothing], place: path },
    ]);
  },
};

/** The type is clear from the listed values, and one target refuses both together. */
export const keepWithoutType: Rule = {
  ...keep,
  finish: ({ out }) => {
    if (out.has('enum') || out.has('const')) out.delete('type');
  },
};
