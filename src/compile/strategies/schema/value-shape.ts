/** The types that tell values apart; an integer is a number. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/** One way a field's value may look: a type and what limits it. */
export interface Shape {
  readonly kind: Kind;
  readonly isInteger: boolean;
  /** The allowed values; undefined when every value of the type is allowed. */
  readonly values: readonly unknown[] | undefined;
  /** The keywords that apply to this type, as declared. */
  readonly keywords: ReadonlyMap<string, unknown>;
}

/** What a schema accepts: any of the shapes; `any` when it names no type. */
export type Form = 'any' | readonly Shape[];

/** The types of a form, each once, in order of first appearance. */
export function kindsOf(shapes: readonly Shape[]): readonly Kind[] {
  return [...new Set(shapes.map(({ kind }) => kind))];
}

export function kindOfValue(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** The types of a form for a message: `string | null`. */
export function describeForm(form: Form): string {
  if (form === 'any') return 'any';
  if (form.length === 0) return 'never';
  return kindsOf(form)
    .map((kind) =>
      typeName(
        kind,
        form.filter((shape) => shape.kind === kind),
      ),
    )
    .join(' | ');
}

/** The value of `type` for shapes of one kind. */
export function typeName(kind: Kind, shapes: readonly Shape[]): string {
  return kind === 'number' && shapes.every(({ isInteger }) => isInteger) ? 'integer' : kind;
}

/** A shape and whose it is. */
export interface OwnedShape {
  readonly by: string;
  readonly shape: Shape;
}
