import type { ComponentChildren } from 'preact';
import type { JsonObject } from '../../contract.ts';
import type { Draft } from '../form/draft.ts';

export interface FieldProps {
  /** `due`, `items[0].name`: unique in its form. */
  readonly path: string;
  readonly name: string;
  readonly schema: unknown;
  /** What references point into. */
  readonly root: JsonObject;
  readonly draft: Draft;
  readonly isRequired: boolean;
  /** What the check of the server said, by path. */
  readonly issues: ReadonlyMap<string, string>;
  onDraft(draft: Draft): void;
  /** Buttons that belong to the place: those of a list. */
  readonly extra?: ComponentChildren;
}
