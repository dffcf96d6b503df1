import { type ControlProps, describedBy } from './field-props.ts';

/** Text, a number, a date: what is typed as text, and kept as it was typed. */
export function TextControl(props: ControlProps & { readonly kind: string }) {
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
