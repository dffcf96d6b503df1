import type { JsonSchema } from '../../shared/json-schema.ts';

/** One of the values that a field may have. */
export interface Choice {
  readonly value: unknown;
  /** How a form shows it. */
  readonly title: string | undefined;
}

/** Every value that a schema lists, or undefined when it does more than list values. */
export function choicesOf({
  const: only,
  enum: values,
  anyOf,
  oneOf,
}: JsonSchema): readonly Choice[] | undefined {
  if (only !== undefined) return [{ value: only, title: undefined }];
  if (values !== undefined) return values.map((value) => ({ value, title: undefined }));
  const branches = anyOf ?? oneOf ?? [];
  const found = branches.map((branch) =>
    branch.const === undefined ? choicesOf(branch) : [{ value: branch.const, title: branch.title }],
  );
  return found.length > 0 && found.every((each) => each !== undefined) ? found.flat() : undefined;
}

/** The keywords for texts to choose from; `titled` is the one that lists them with titles. */
export function choiceKeywords(choices: readonly Choice[], titled: 'oneOf' | 'anyOf'): JsonSchema {
  const values = choices.map(({ value }) => String(value));
  if (choices.every(({ title }) => title === undefined))
    return { type: 'string', enum: [...new Set(values)] };
  const options = choices.map(({ title }, index) => ({
    const: values[index],
    title: title ?? values[index] ?? '',
  }));
  return titled === 'oneOf' ? { type: 'string', oneOf: options } : { anyOf: options };
}

/** The titles of an `enum` in a list beside it, as clients before 2025-11-25 read them. */
export function legacyTitles({ enum: values = [], enumNames: titles }: JsonSchema): JsonSchema {
  const isComplete =
    Array.isArray(titles) && titles.length === values.length && new Set(values).size === values.length;
  return isComplete && titles.every((title) => typeof title === 'string') ? { enumNames: titles } : {};
}
