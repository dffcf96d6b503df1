import { useState } from 'preact/hooks';
import { printDraft } from '../form/draft.ts';
import { readDraft } from '../form/read-draft.ts';
import type { ControlProps } from './field-props.ts';
import { JsonEditor } from './json-editor.tsx';

/** What cannot be drawn: JSON for this field alone. */
export function JsonField({ path, draft, onDraft, reason }: ControlProps & { readonly reason: string }) {
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
