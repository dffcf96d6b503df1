import { ABSENT, draftOf, NULL, printDraft } from '../form/draft.ts';
import { type ControlProps, describedBy } from './field-props.ts';

/** The values of an enum or a boolean, with the two states that are none of them. */
export function Choice(
  props: ControlProps & { readonly values: readonly unknown[]; readonly titles?: readonly unknown[] },
) {
  const { id, draft, onDraft, values, titles, field } = props;
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
          {wordsOf(values[position], titles?.[position])}
        </option>
      ))}
      {value === 'other' ? <option value="other">{current} (not in the list)</option> : null}
    </select>
  );
}

function wordsOf(value: unknown, title: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return typeof title === 'string' && title !== text ? `${title} (${text})` : text;
}
