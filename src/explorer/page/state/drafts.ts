import { signal, type Signal } from '@preact/signals';
import type { CheckAnswer, JsonObject } from '../../contract.ts';
import { changedFields, type FieldChanges } from '../form/changed-fields.ts';
import { fieldOf, firstDraft } from '../form/field.ts';
import type { Failure } from './session.ts';
import { ABSENT, type Draft, printDraft } from '../form/draft.ts';
import { readDraft } from '../form/read-draft.ts';

/** What a person typed for one action. It outlives a swap of the application. */
export interface Typed {
  readonly draft: Draft;
  /** The text of the JSON view, as long as nothing was changed in the form. */
  readonly text?: string;
}

export interface Form {
  readonly typed: Signal<Typed>;
  /** What the call has in `_meta`, such as the version of the action; absent if nothing. */
  readonly meta: Signal<Typed>;
  readonly view: Signal<'form' | 'json'>;
  readonly check: Signal<CheckAnswer | Failure | undefined>;
  /** Of the input for which it was typed. */
  readonly schema: Signal<JsonObject>;
  /** What a swap made of the fields while the form was there. */
  readonly changes: Signal<FieldChanges>;
}

const forms = new Map<string, Form>();

/** The form of an action; after a swap the same one, with the changes marked. */
export function formOf(place: string, schema: JsonObject): Form {
  const known = forms.get(place);
  if (known === undefined) return openForm(place, schema);
  const before = known.schema.peek();
  if (before !== schema) {
    const changes = changedFields(before, schema);
    known.schema.value = schema;
    if (changes.size > 0) known.changes.value = new Map([...known.changes.peek(), ...changes]);
  }
  return known;
}

function openForm(place: string, schema: JsonObject): Form {
  const first = firstDraft(fieldOf(schema, schema), schema);
  const form: Form = {
    typed: signal<Typed>({ draft: first.kind === 'object' ? first : { kind: 'object', members: [] } }),
    meta: signal<Typed>({ draft: ABSENT }),
    view: signal<'form' | 'json'>('form'),
    check: signal<CheckAnswer | Failure | undefined>(undefined),
    schema: signal(schema),
    changes: signal<FieldChanges>(new Map()),
  };
  // What was said of another input is not true of this one
  form.typed.subscribe(() => (form.check.value = undefined));
  forms.set(place, form);
  return form;
}

export function textOf({ draft, text }: Typed): string {
  return text ?? printDraft(draft);
}

export function typedText(text: string): Typed {
  return { draft: readDraft(text), text };
}
