import { distribute } from './object-rules.ts';
import type { Rule } from '../rule.ts';
import { positionBelow } from './basic-rules.ts';
import { pathOfChild, type Draft } from '../draft.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { pointTo } from '../../../schema/pointer.ts';

/** K, without the alternatives that nothing fits where no schema can say so. */
export const keepAnyOf: Rule = {
  letter: 'K',
  write: (draft, keyword, value) => draft.put(keyword, alternatives(draft, keyword, value)),
};

/** K; a closed object that has alternatives is moved into each of them. */
export const keepDistributed: Rule = { ...keepAnyOf, shape: distribute };

/** T: all alternatives stay, but a value may fit more than one of them. */
export const oneOfAsAnyOf: Rule = {
  letter: 'T',
  write: (draft, keyword, value) => {
    if (Object.hasOwn(draft.node, 'anyOf')) return draft.describe(keyword, value);
    draft.put('anyOf', alternatives(draft, keyword, value));
    draft.lose(keyword, 'transformed', 'oneOf became anyOf: a value may fit several alternatives.');
  },
};

function alternatives(draft: Draft, keyword: string, value: unknown): readonly RawSchema[] {
  const place = draft.placeOf(keyword);
  return (value as readonly RawSchema[]).flatMap((schema, index) =>
    schema === false
      ? []
      : [
          draft.child(
            schema,
            pathOfChild(draft, schema, pointTo(place, index)),
            positionBelow(draft, keyword),
          ),
        ],
  );
}
