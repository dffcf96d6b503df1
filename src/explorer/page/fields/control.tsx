import { useState } from 'preact/hooks';
import type { JsonObject } from '../../contract.ts';
import { type Draft, memberOf, printDraft } from '../form/draft.ts';
import { fieldOf, firstDraft, fits, isObject } from '../form/field.ts';
import { Choice } from './choice.tsx';
import type { ControlProps } from './field-props.ts';
import { JsonField } from './json-field.tsx';
import { ListView } from './list-view.tsx';
import { ObjectView } from './object-view.tsx';
import { TextControl } from './text-control.tsx';

/** What a value is typed into; as JSON where it is of another type than the field. */
export function Control(props: ControlProps) {
  const { draft, field } = props;
  const { control } = field;
  if (!fits(field, draft))
    return <JsonField {...props} reason="The value is of another type than the field." />;
  if (control.kind === 'choice')
    return <Choice {...props} values={control.values} titles={control.titles ?? []} />;
  if (control.kind === 'boolean') return <Choice {...props} values={[true, false]} />;
  const isComposed = COMPOSED.some((kind) => kind === control.kind);
  if (!isComposed) return <TextControl {...props} kind={control.kind} />;
  return draft.kind === 'absent' || draft.kind === 'null' ? null : <Composed {...props} />;
}

const COMPOSED = ['object', 'list', 'union', 'json'] as const;

function Composed(props: ControlProps) {
  const { control } = props.field;
  switch (control.kind) {
    case 'object':
      return <ObjectView {...props} names={control.names} />;
    case 'list':
      return <ListView {...props} />;
    case 'union':
      return <Union {...props} branches={control.branches} />;
    case 'json':
      return <JsonField {...props} reason={`Typed as JSON: ${control.reason}.`} />;
    default:
      return null;
  }
}

function Union(props: ControlProps & { readonly branches: readonly JsonObject[] }) {
  const { id, path, root, draft, onDraft, branches, issues } = props;
  const fitting = branches.findIndex((branch) => fitsDeeply(branch, root, draft));
  const [chosen, choose] = useState<number>();
  // What was typed as JSON may be of another branch than was chosen
  const stays = chosen !== undefined && fitsDeeply(branches[chosen] ?? {}, root, draft);
  const index = stays ? chosen : Math.max(fitting, 0);
  const branch = fieldOf(branches[index], root);
  return (
    <>
      <select
        id={id}
        class="short"
        data-testid="branch"
        aria-label={`Kind of ${path}`}
        value={String(index)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          choose(next);
          onDraft(firstDraft(fieldOf(branches[next], root), root));
        }}
      >
        {branches.map((one, position) => (
          <option key={position} value={String(position)}>
            {nameOf(one, position)}
          </option>
        ))}
      </select>
      <Control {...props} field={branch} schema={branches[index]} id={`${id}-value`} issues={issues} />
    </>
  );
}

function nameOf({ title, type }: JsonObject, position: number): string {
  return typeof title === 'string' ? title : typeof type === 'string' ? type : `form ${position + 1}`;
}

/** The first branch that a draft could be of, by its constant members. */
function fitsDeeply(branch: JsonObject, root: JsonObject, draft: Draft): boolean {
  const field = fieldOf(branch, root);
  if (!fits(field, draft)) return false;
  const { properties } = field.schema;
  if (draft.kind !== 'object' || !isObject(properties)) return true;
  return Object.entries(properties).every(([name, property]) => {
    const member = memberOf(draft, name);
    return (
      !isObject(property) ||
      !('const' in property) ||
      printDraft(member) === JSON.stringify(property['const'])
    );
  });
}
