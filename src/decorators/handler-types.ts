import type { CallToolResult, ContentBlock } from '../call/results.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { SchemaSource } from '../shared/schema-source.ts';

/**
 * A decorator for methods whose parameter and result fit what the action declares. It is a plain one where nothing
 * with a type is declared. Only what cannot fit is refused: a field of another type, a number for an object.
 */
export type HandlerDecorator<
  Input extends SchemaSource,
  Output extends SchemaSource,
> = unknown extends OutputOf<Input> & InstanceOf<Output>
  ? MethodDecorator
  : <Method>(
      target: object,
      member: string | symbol,
      descriptor: TypedPropertyDescriptor<Method> &
        InputVerdict<Method, OutputOf<Input>> &
        ResultVerdict<Method, InstanceOf<Output>>,
    ) => void;

/** What a Standard Schema gives its handler; unknown for all else: classes are compared when the application starts. */
type OutputOf<Source> = Source extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Value }
    ? Value
    : unknown
  : unknown;

/** The result type that a class or a Standard Schema declares. */
type InstanceOf<Source> = Source extends { readonly '~standard': unknown }
  ? OutputOf<Source>
  : Source extends new (...args: never[]) => infer Value
    ? Value
    : unknown;

type InputVerdict<Method, Value> = Method extends (...args: infer Parameters) => unknown
  ? Parameters extends readonly [(infer Taken)?]
    ? Taken extends ToolContext
      ? unknown
      : MayFit<Value, Taken> extends true
        ? unknown
        : { readonly 'the handler takes no value of its input': Value }
    : unknown
  : unknown;

type ResultVerdict<Method, Value> = Method extends (...args: never[]) => infer Result
  ? MayBeSent<Settled<Result>, Value> extends true
    ? unknown
    : { readonly 'the handler returns no value of its output': Value }
  : unknown;

/** Unwraps promises to their value and generators to their return type. */
type Settled<Result> =
  Awaited<Result> extends Generator<unknown, infer Value> | AsyncGenerator<unknown, infer Value>
    ? Awaited<Value>
    : Awaited<Result>;

/** Results of helpers, blocks and nothing at all may stand for any value; each of the others has to fit. */
type MayBeSent<Result, Value> = [false] extends [
  Result extends Silent | CallToolResult | ContentBlock | readonly ContentBlock[]
    ? true
    : MayFit<Written<Result>, Written<Value>>,
]
  ? false
  : true;

// A handler without a `return` gives this type, and may well throw
// oxlint-disable-next-line typescript/no-invalid-void-type
type Silent = void | undefined | null;

type Primitive = string | number | bigint | boolean | symbol;

/**
 * False only where no value is of both types. Fields that one side alone has say nothing (common fields, more than is
 * read), and neither do `null`, `undefined` and what is deeper than five levels.
 */
type MayFit<Given, Taken, Depth extends readonly unknown[] = []> = [Given] extends [Taken]
  ? true
  : [Taken] extends [Given]
    ? true
    : Depth['length'] extends 5
      ? true
      : MayFitWithin<NonNullable<Given>, NonNullable<Taken>, Depth>;

type MayFitWithin<Given, Taken, Depth extends readonly unknown[]> = [Given] extends [Taken]
  ? true
  : [Taken] extends [Given]
    ? true
    : [Given] extends [readonly (infer GivenItem)[]]
      ? [Taken] extends [readonly (infer TakenItem)[]]
        ? MayFit<GivenItem, TakenItem, [...Depth, 0]>
        : false
      : [Given | Taken] extends [object]
        ? false extends FieldsFit<Given, Taken, [...Depth, 0]>
          ? false
          : true
        : false;

type FieldsFit<Given, Taken, Depth extends readonly unknown[]> = {
  [Name in keyof Given & keyof Taken]-?: MayFit<Given[Name], Taken[Name], Depth>;
}[keyof Given & keyof Taken];

/** A value with another form in JSON may become anything. */
type Written<Value> = Value extends
  | { toJSON(...args: never[]): unknown }
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  ? unknown
  : Value extends Primitive
    ? Value
    : { [Name in keyof Value]: Written<Value[Name]> };
