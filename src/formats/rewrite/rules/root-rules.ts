import type { PlainObject } from '../../../shared/json.ts';
import type { Draft } from '../draft.ts';
import type { Rule } from '../rule.ts';
import { uniteBranches } from '../unite-branches.ts';
import { writeKept } from './basic-rules.ts';

/** T: one object with the properties of all alternatives. */
export const uniteRoot: Rule = {
  letter: 'T',
  shape: (node, draft) => unite(unite(node, 'anyOf', draft), 'oneOf', draft),
};

/** K: the root may have alternatives. */
export const keepRootUnion: Rule = { letter: 'K', write: writeKept };

function unite(node: PlainObject, keyword: 'anyOf' | 'oneOf', draft: Draft): PlainObject {
  const branches = node[keyword];
  if (!Array.isArray(branches)) return node;
  const place = draft.rewriter.source.placeOf(node, keyword);
  draft.lose(
    keyword,
    'transformed',
    `the alternatives of ${keyword} became one object with all properties.`,
    place,
  );
  const united = uniteBranches(node, keyword, draft);
  draft.lines.push(`Alternatives: ${united.alternatives.join(' | ')}`);
  return united.node;
}
