import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { writeDocs, writeKey, writeType } from '../../src/schema/write-type.ts';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

/** What a compiler says of a file with this type. */
function syntaxFaults(type: string): readonly string[] {
  const source = ts.createSourceFile('types.ts', `export type Written = ${type};\n`, ts.ScriptTarget.ES2022);
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  return parseDiagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the type of a schema', () => {
  test.each<[unknown, string]>([
    [{ type: 'string', minLength: 1, pattern: '^a' }, 'string'],
    [{ type: 'integer', minimum: 1 }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ const: 'a' }, '"a"'],
    [{ const: { a: [1, null] } }, '{ a: [1, null] }'],
    [{ type: 'string', enum: ['a', 'b', null] }, '"a" | "b" | null'],
    [{ enum: [] }, 'never'],
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    ['no schema', 'unknown'],
    [{ type: 'file' }, 'unknown'],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [{ items: { type: 'boolean' } }, 'boolean[]'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2] }], minItems: 1, items: false },
      '[string, (1 | 2)?]',
    ],
    [{ type: 'array', items: [{ type: 'string' }], minItems: 1 }, '[string, ...unknown[]]'],
    [{ type: 'object' }, '{ [key: string]: unknown }'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
    [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
    [object({ a: { type: 'string' }, 'b-c': {} }, { required: ['a'] }), '{ a: string; "b-c"?: unknown }'],
    [
      object({ a: { type: 'string' } }, { additionalProperties: true }),
      '{ a?: string; [key: string]: unknown }',
    ],
    [object({ a: {} }, { patternProperties: { '^x-': {} } }), '{ a?: unknown; [key: string]: unknown }'],
    [{ required: ['a'] }, '{ a: unknown }'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }, false] }, 'string'],
    [{ type: 'string', anyOf: [{ format: 'uri' }, { format: 'email' }] }, 'string'],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, '"a" | "b"'],
    [{ type: 'object', oneOf: [object({ a: {} }), object({ b: {} })] }, '{ a?: unknown } | { b?: unknown }'],
    [
      object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      '{ a?: unknown; b?: unknown } & ({ a: unknown } | { b: unknown })',
    ],
    [{ allOf: [object({ a: {} }), object({ b: {} }), {}] }, '{ a?: unknown } & { b?: unknown }'],
    [{ allOf: [{ type: 'string' }, false] }, 'never'],
    [{ $ref: '#/$defs/Id', description: 'its id', $defs: { Id: { type: 'string' } } }, 'string'],
    [{ $ref: '#/definitions/a%20b', definitions: { 'a b': { type: 'null' } } }, 'null'],
    [{ $ref: '#nothing' }, 'unknown'],
    [{ $ref: 'https://elsewhere.example/schema' }, 'unknown'],
    [{ not: { type: 'string' }, if: {}, then: {} }, 'unknown'],
  ])('%j is %s', (schema, expected) => {
    expect(writeType(schema)).toBe(expected);
    expect(syntaxFaults(expected)).toEqual([]);
  });

  test('has lines with comments where they say something, and is one line elsewhere', () => {
    const schema = object({
      title: { type: 'string', description: 'What it is called' },
      old: { type: 'string', title: 'Old', deprecated: true },
      place: object({ x: { type: 'number' } }),
    });
    expect(writeType(schema, '  ')).toBe(
      [
        '{',
        '    /** What it is called */',
        '    title?: string;',
        '    /**',
        '     * Old',
        '     * @deprecated',
        '     */',
        '    old?: string;',
        '    place?: { x?: number };',
        '  }',
      ].join('\n'),
    );
  });

  test('is unknown inside of itself', () => {
    const tree = {
      $ref: '#/$defs/Node',
      $defs: { Node: object({ next: { $ref: '#/$defs/Node' }, value: {} }) },
    };
    expect(writeType(tree)).toBe('{ next?: unknown; value?: unknown }');
    const twice = { a: { $ref: '#/$defs/Id' }, b: { $ref: '#/$defs/Id' } };
    expect(writeType(object(twice, { $defs: { Id: { type: 'string' } } }))).toBe(
      '{ a?: string; b?: string }',
    );
    expect(writeType(object({ parent: { $ref: '#' } }))).toBe('{ parent?: { parent?: unknown } }');
    expect(
      writeType({ $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }),
    ).toBe('unknown');
  });

  test('ends where references double it without end, and where it is too deep', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/$defs/L${String(level + 1)}` };
      return [`L${String(level)}`, object({ a: next, b: next })] as const;
    });
    const doubled = writeType({ $ref: '#/$defs/L0', $defs: Object.fromEntries(levels) });
    expect(doubled.length).toBeLessThan(1_000_000);
    const deep = Array.from({ length: 400 }).reduce<object>((inner) => ({ type: 'array', items: inner }), {});
    expect(writeType(deep)).toBe(`unknown${'[]'.repeat(64)}`);
  });

  test('cannot be left by names and texts of a stranger', () => {
    const names = [
      '1',
      '__proto__',
      'constructor',
      '*/',
      'a"; b',
      'line\nbreak',
      '\u2028',
      '\u202eevil',
      '',
      'ä',
      'new',
      'get',
    ];
    const hostile = object(
      Object.fromEntries(
        names.map((name) => [name, { type: 'string', description: `*/ } ${name} /* @ts-nocheck` }]),
      ),
      { required: names },
    );
    const written = writeType(hostile);
    expect(syntaxFaults(written)).toEqual([]);
    const { members } = (
      ts.createSourceFile('types.ts', `type Written = ${written};`, ts.ScriptTarget.ES2022)
        .statements[0] as ts.TypeAliasDeclaration
    ).type as ts.TypeLiteralNode;
    expect(members.map(({ name }) => (name as ts.Identifier | ts.StringLiteral).text)).toEqual(names);
    expect(written).not.toMatch(/[\u2028\u202e]|@ts-/);
  });
});

test('a comment cannot end early, and says nothing where there is nothing to say', () => {
  expect(writeDocs([undefined, ' '])).toBe('');
  expect(writeDocs(['one */ two'], '  ')).toBe('  /** one *\\/ two */\n');
  expect(writeDocs(['one\r\n\r\ntwo', 'three'])).toBe('/**\n * one\n *\n * two\n * three\n */\n');
});

test('only what is a name stands without quotes', () => {
  expect(['a', '$a_1', '1a', 'a.b', 'ä', ''].map(writeKey)).toEqual([
    'a',
    '$a_1',
    '"1a"',
    '"a.b"',
    '"ä"',
    '""',
  ]);
});
