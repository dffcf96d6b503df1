// @hyperjump/uri-template (0.3.0) comes without types. This is the part of it that is used here.
declare module '@hyperjump/uri-template' {
  type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

  interface Literal {
    readonly type: 'literal';
    /** Percent-encoded where a URI needs it. */
    readonly value: string;
  }

  interface Expression {
    readonly type: Operator;
    readonly variables: readonly {
      readonly name: string;
      readonly explode: boolean;
      readonly maxLength: string | undefined;
    }[];
  }

  /** Throws an Error whose first line says what is wrong. */
  export function parse(template: string): readonly (Literal | Expression)[];
}
