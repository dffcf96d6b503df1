import { signal, type Signal } from '@preact/signals';
import type { CheckAnswer } from '../../contract.ts';
import type { Failure } from './session.ts';
import { type Draft, printDraft } from '../form/draft.ts';
import { readDraft } from '../form/read-draft.ts';

/** What a person typed for one action. It outlives a swap of the application. */
export interface Typed {
  readonly draft: Draft;
  /** The text of the JSON view, as long as nothing was changed in the form. */
  readonly text?: string;
}

export interface Form {
  readonly typed: Signal<Typed>;
  readonly view: Signal<'form' | 'json'>;
  readonly check: Signal<CheckAnswer | Failure | undefined>;
}

const forms = new Map<string, Form>();

export function formOf(place: string, first: () => Draft): Form {
  const known = forms.get(place);
  if (known !== undefined) return known;
  const form: Form = {
    typed: signal<Typed>({ draft: first() }),
    view: signal<'form' | 'json'>('form'),
    check: signal<CheckAnswer | Failure | undefined>(undefined),
  };
  forms.set(place, form);
  return form;
}

export function textOf({ draft, text }: Typed): string {
  return text ?? printDraft(draft);
}

export function typedText(text: string): Typed {
  return { draft: readDraft(text), text };
}
