import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import type { JsonObject } from '../../contract.ts';
import type { FieldChanges } from '../form/changed-fields.ts';
import type { Draft } from '../form/draft.ts';
import type { Field } from '../form/field.ts';

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

/** What the control of a field is given. */
export interface ControlProps extends FieldProps {
  readonly field: Field;
  /** Of the element that is typed into. */
  readonly id: string;
  /** Shows a field within this one. */
  readonly Item: ComponentType<FieldProps>;
}

/** The texts about a control, for those who hear the page. */
export function describedBy({ id, path, issues }: ControlProps): string {
  return issues.has(path) ? `${id}-issue ${id}-hint` : `${id}-hint`;
}

/** The fields that a swap changed, for the form that is below. */
export const ChangedFields = createContext<FieldChanges>(new Map());
