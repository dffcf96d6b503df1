import { useState } from 'preact/hooks';
import type { JsonObject } from '../../contract.ts';
import { ABSENT, type Draft, draftOf, memberOf, NULL, printDraft, withMember } from '../form/draft.ts';
import { type Field, fieldOf, firstDraft, fits, isObject } from '../form/field.ts';
import { readDraft } from '../form/read-draft.ts';
import { JsonEditor } from './json-editor.tsx';
import type { FieldProps } from './field-props.ts';
import { ListView } from './list-view.tsx';

/** One field of a form: its name, its state, its control, its rules, and what is wrong with it. */
export function FieldView(props: FieldProps) {
  const { path, name, schema, root, draft, isRequired, issues, extra } = props;
  const field = fieldOf(schema, root);
  const id = `field-${path}`;
  const issue = issues.get(path);
  const isGroup = ['object', 'list', 'union'].includes(field.control.kind);
  const hints = [field.description, field.rules.join(' · ')].filter(
    (hint) => hint !== undefined && hint !== '',
  );
  const state = draft.kind === 'text' && draft.text === '' ? 'empty' : draft.kind;
  const body = <Control {...props} field={field} id={id} />;
  return (
    <div
      class="field"
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? `${id}-name` : undefined}
      data-testid="field"
      data-path={path}
      data-state={state}
      data-invalid={issue === undefined ? undefined : ''}
    >
      <div class="field-head">
        <label id={`${id}-name`} for={isGroup ? undefined : id}>
          <code>{name}</code>
          {isRequired ? (
            <span class="required" title="required">
              *<span class="unseen"> required</span>
            </span>
          ) : null}
        </label>
        {field.control.kind === 'choice' || field.control.kind === 'boolean' ? null : (
          <StateSwitch {...props} field={field} state={state} />
        )}
        {extra}
      </div>
      {body}
      <p class="faint" id={`${id}-hint`}>
        {hints.join(' — ')}
      </p>
      {issue === undefined ? null : (
        <p class="issue" id={`${id}-issue`} data-testid="issue">
          {issue}
        </p>
      )}
    </div>
  );
}

/** Absent, null and a value are three states; an empty text is a value. */
function StateSwitch({
  path,
  root,
  draft,
  onDraft,
  field,
  state,
}: FieldProps & { readonly field: Field; readonly state: string }) {
  const value = draft.kind === 'absent' || draft.kind === 'null' ? draft.kind : 'value';
  const choose = (chosen: string): void => {
    if (chosen === 'absent') onDraft(ABSENT);
    else if (chosen === 'null') onDraft(NULL);
    else onDraft(firstDraft(field, root));
  };
  return (
    <select
      class="state"
      aria-label={`State of ${path}`}
      data-testid="state"
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="absent">absent</option>
      <option value="null">null{field.isNullable ? '' : ' (not allowed)'}</option>
      <option value="value">{state === 'empty' ? 'empty' : 'value'}</option>
    </select>
  );
}

type ControlProps = FieldProps & { readonly field: Field; readonly id: string };

function Control(props: ControlProps) {
  const { draft, field } = props;
  if (!fits(field, draft))
    return <JsonField {...props} reason="The value is of another type than the field." />;
  const { control } = field;
  if (control.kind === 'choice' || control.kind === 'boolean')
    return <Choice {...props} values={control.kind === 'choice' ? control.values : [true, false]} />;
  const isNothing = draft.kind === 'absent' || draft.kind === 'null';
  switch (control.kind) {
    case 'object':
      return isNothing ? null : <ObjectView {...props} names={control.names} />;
    case 'list':
      return isNothing ? null : <ListView {...props} Item={FieldView} />;
    case 'union':
      return isNothing ? null : <Union {...props} branches={control.branches} />;
    case 'json':
      return isNothing ? null : <JsonField {...props} reason={`Typed as JSON: ${control.reason}.`} />;
    default:
      return <TextControl {...props} kind={control.kind} />;
  }
}

function describedBy({ id, path, issues }: ControlProps): string {
  return issues.has(path) ? `${id}-issue ${id}-hint` : `${id}-hint`;
}

function TextControl(props: ControlProps & { readonly kind: string }) {
  const { id, path, draft, onDraft, kind, issues } = props;
  const isNumber = kind === 'number' || kind === 'integer';
  const text = draft.kind === 'text' || draft.kind === 'number' ? draft.text : '';
  const type = (given: string): void => onDraft({ kind: isNumber ? 'number' : 'text', text: given });
  const shared = {
    id,
    value: text,
    placeholder: draft.kind === 'absent' ? 'not sent' : draft.kind === 'null' ? 'null' : '',
    'aria-describedby': describedBy(props),
    'aria-invalid': issues.has(path),
    'data-testid': 'input',
    spellcheck: false,
  };
  if (kind === 'text')
    return <textarea {...shared} rows={1} onInput={(event) => type(event.currentTarget.value)} />;
  if (isNumber)
    return (
      <input
        {...shared}
        class="short"
        inputMode="decimal"
        autocomplete="off"
        onInput={(event) => type(event.currentTarget.value)}
      />
    );
  const picker = kind === 'date' ? 'date' : 'datetime-local';
  // The native picker shows no invalid text: that stays in the field before it
  return (
    <div class="row">
      <input
        {...shared}
        class="short"
        autocomplete="off"
        onInput={(event) => type(event.currentTarget.value)}
      />
      <input
        type={picker}
        class="picker"
        aria-label={`Pick ${path}`}
        step={kind === 'date' ? undefined : 1}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value !== '') type(kind === 'date' ? value : new Date(value).toISOString());
        }}
      />
    </div>
  );
}

/** The values of an enum or a boolean, with the two states that are none of them. */
function Choice(props: ControlProps & { readonly values: readonly unknown[] }) {
  const { id, draft, onDraft, values, field } = props;
  const texts = values.map((value) => JSON.stringify(value));
  const current = draft.kind === 'absent' ? 'absent' : printDraft(draft).replace(/\s+/g, '');
  const index = texts.indexOf(current);
  const value =
    draft.kind === 'absent' || draft.kind === 'null' ? draft.kind : index === -1 ? 'other' : String(index);
  const choose = (chosen: string): void => {
    if (chosen === 'absent') onDraft(ABSENT);
    else if (chosen === 'null') onDraft(NULL);
    else if (chosen !== 'other') onDraft(draftOf(values[Number(chosen)]));
  };
  return (
    <select
      id={id}
      class="short"
      data-testid="input"
      aria-describedby={describedBy(props)}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="absent">absent</option>
      <option value="null">null{field.isNullable ? '' : ' (not allowed)'}</option>
      {texts.map((text, position) => (
        <option key={text} value={String(position)}>
          {typeof values[position] === 'string' && text !== '""' ? text.slice(1, -1) : text}
        </option>
      ))}
      {value === 'other' ? <option value="other">{current} (not in the list)</option> : null}
    </select>
  );
}

/** The members of an object; those that its schema does not know as well. */
export function ObjectView(props: FieldProps & { readonly field: Field; readonly names: readonly string[] }) {
  const { path, root, draft, onDraft, field, names, issues } = props;
  const { properties, required } = field.schema;
  const known = isObject(properties) ? properties : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const others =
    draft.kind === 'object' ? draft.members.map(([name]) => name).filter((name) => !(name in known)) : [];
  return (
    <div class={path === '' ? 'fields' : 'fields nested'}>
      {[...names, ...others].map((name) => (
        <FieldView
          key={name}
          name={name}
          path={path === '' ? name : `${path}.${name}`}
          schema={known[name] ?? true}
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

function Union(props: ControlProps & { readonly branches: readonly JsonObject[] }) {
  const { id, path, root, draft, onDraft, branches, issues } = props;
  const fitting = branches.findIndex((branch) => fitsDeeply(branch, root, draft));
  const [chosen, choose] = useState<number>();
  const index = chosen ?? Math.max(fitting, 0);
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

function JsonField({ path, draft, onDraft, reason }: ControlProps & { readonly reason: string }) {
  const text = printDraft(draft);
  const [typed, type] = useState(text);
  return (
    <div data-testid="json-field">
      <p class="faint">{reason}</p>
      <JsonEditor
        label={`${path === '' ? 'Input' : path} as JSON`}
        text={printDraft(readDraft(typed)) === text ? typed : text}
        onText={(given) => {
          type(given);
          onDraft(readDraft(given));
        }}
      />
    </div>
  );
}
