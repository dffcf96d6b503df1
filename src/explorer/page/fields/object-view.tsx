import { memberOf, withMember } from '../form/draft.ts';
import { isObject, propertyOf } from '../form/field.ts';
import type { ControlProps } from './field-props.ts';

/** The members of an object; those that its schema does not know as well. */
export function ObjectView(props: ControlProps & { readonly names: readonly string[] }) {
  const { path, root, draft, onDraft, field, names, issues, Item } = props;
  const { properties, required } = field.schema;
  const known = isObject(properties) ? properties : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const others =
    draft.kind === 'object'
      ? draft.members.map(([name]) => name).filter((name) => !Object.hasOwn(known, name))
      : [];
  return (
    <div class={path === '' ? 'fields' : 'fields nested'}>
      {[...names, ...others].map((name) => (
        <Item
          key={name}
          name={name}
          path={path === '' ? name : `${path}.${name}`}
          schema={propertyOf(known, name)}
          root={root}
          draft={memberOf(draft, name)}
          isRequired={needed.includes(name)}
          issues={issues}
          onDraft={(member) => onDraft(withMember(draft, name, member))}
        />
      ))}
    </div>
  );
}
