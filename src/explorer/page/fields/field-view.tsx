import { useContext } from 'preact/hooks';
import { ABSENT, NULL } from '../form/draft.ts';
import { type Field, fieldOf, firstDraft } from '../form/field.ts';
import { Control } from './control.tsx';
import { Badge } from '../parts/basic.tsx';
import { ChangedFields, type FieldProps } from './field-props.ts';

/** One field of a form: its name, its state, its control, its rules, and what is wrong with it. */
export function FieldView(props: FieldProps) {
  const { path, name, schema, root, draft, isRequired, issues, extra } = props;
  const field = fieldOf(schema, root);
  const change = useContext(ChangedFields).get(path);
  const id = `field-${path}`;
  const issue = issues.get(path);
  const isGroup = ['object', 'list', 'union'].includes(field.control.kind);
  const state = draft.kind === 'text' && draft.text === '' ? 'empty' : draft.kind;
  const body = <Control {...props} field={field} id={id} Item={FieldView} />;
  return (
    <div
      class="field"
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? `${id}-name` : undefined}
      data-testid="field"
      data-path={path}
      data-state={state}
      data-change={change}
      data-invalid={issue === undefined ? undefined : ''}
    >
      <div class="field-head">
        <label id={`${id}-name`} for={isGroup ? undefined : id}>
          <code>
            <bdi>{name}</bdi>
          </code>
          {isRequired ? (
            <span class="required" title="required">
              *<span class="unseen"> required</span>
            </span>
          ) : null}
        </label>
        {change === undefined ? null : <Badge meaning="asks">{change}</Badge>}
        <span class="space" />
        {field.control.kind === 'choice' || field.control.kind === 'boolean' ? null : (
          <StateSwitch {...props} field={field} state={state} />
        )}
        {extra}
      </div>
      {body}
      <Hint id={`${id}-hint`} name={name} field={field} />
      {issue === undefined ? null : (
        <p class="issue" id={`${id}-issue`} data-testid="issue">
          {issue}
        </p>
      )}
    </div>
  );
}

/** What the schema says of it: in words, then what a value has to fulfil. */
function Hint({ id, name, field }: { readonly id: string; readonly name: string; readonly field: Field }) {
  const words = [field.title, field.description].filter(
    (word) => word !== undefined && word !== '' && word.toLowerCase() !== name.toLowerCase(),
  );
  return (
    <p class="hint" id={id}>
      {words.length === 0 ? null : <span dir="auto">{words.join(' — ')}</span>}
      {field.rules.length === 0 ? null : <span class="rules">{field.rules.join(' · ')}</span>}
    </p>
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
