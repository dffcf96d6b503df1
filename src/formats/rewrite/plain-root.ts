import type { PlainObject } from '../../shared/json.ts';
import type { Draft } from './draft.ts';
import { resolved } from './inline-reference.ts';
import { typesOf } from './types.ts';

/** The root of arguments as an object of its own: no reference, and no other type. Arguments always are objects. */
export function plainRoot(draft: Draft): PlainObject {
  const { source, conversion, target } = draft.rewriter;
  const node = resolved(draft.node, draft);
  const types = typesOf(node);
  if (types.length > 0 && !types.includes('object')) {
    const path = source.placeOf(node, 'type');
    conversion.fail(
      'ROOT_NOT_OBJECT',
      path,
      `${path} is no object, which the arguments of ${target.name} have to be.`,
    );
  }
  const path = source.pathOf(node);
  const parts = source.partsOf(node);
  if (types.length === 0)
    return source.derive(path, [{ keyword: 'type', value: 'object', place: path }, ...parts]);
  return source.derive(
    path,
    parts.map((part) => (part.keyword === 'type' ? { ...part, value: 'object' } : part)),
  );
}
