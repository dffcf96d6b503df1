import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { readMember, writeMember, parseDocument } from '../../../src/cli/clients/edit-json.ts';
import { tries } from '../../support/thorough.ts';

const PLACE = ['servers', 'new'] as const;
const ENTRY = { command: 'node', args: ['a'] };

describe('writeMember', () => {
  test('leaves comments, commas and white space as they are', () => {
    const before = `// mine
{
    "inputs": [], // asked once
    "servers": {
        "old": { "command": "x" }, // keep me
        /* the end */
    },
}
`;
    expect(writeMember(before, PLACE, ENTRY)).toBe(`// mine
{
    "inputs": [], // asked once
    "servers": {
        "old": { "command": "x" }, // keep me
        "new": {
            "command": "node",
            "args": [
                "a"
            ]
        }
        /* the end */
    },
}
`);
  });

  test.each([
    ['a last member without a comma', '{\n  "a": 1 // note\n}\n', '{\n  "a": 1, // note\n  "servers": {'],
    ['an empty object', '{\n  "servers": {}\n}\n', '{\n  "servers": {\n    "new": {'],
    ['an empty object with a comment', '{\n  "servers": { // none\n  }\n}\n', '{ // none\n    "new": {'],
    ['tabs', '{\n\t"servers": {\n\t\t"a": {}\n\t}\n}', '"a": {},\n\t\t"new": {\n\t\t\t"command"'],
    ['Windows line ends', '{\r\n  "a": 1\r\n}\r\n', '"a": 1,\r\n  "servers": {\r\n    "new": {\r\n'],
    ['one line', '{"servers":{"a":{}}}', '{"servers":{"a":{},"new":{"command":"node","args":["a"]}}}'],
    ['a comma on the next line', '{\n  "a": 1\n  , "b": 2\n  ,\n}', '  ,\n  "servers": {'],
    ['nothing', '', '{\n  "servers": {\n    "new": {'],
    ['nothing but a comment', '// servers\n', '// servers\n{\n  "servers": {'],
    ['a byte order mark', '\uFEFF{}', '{\n  "servers": {'],
  ])('adds to %s', (_, before, expected) => {
    const after = writeMember(before, PLACE, ENTRY);
    expect(after).toContain(expected);
    expect(readMember(after, PLACE)).toEqual(ENTRY);
  });

  test('replaces the entry alone', () => {
    const before = '{\n  "servers": {\n    "new": { "command": "old" }, // here\n    "b": {} },\n}';
    const after = writeMember(before, PLACE, { url: 'x' });
    expect(after).toBe(
      '{\n  "servers": {\n    "new": {\n      "url": "x"\n    }, // here\n    "b": {} },\n}',
    );
  });

  test.each([
    ['{', 'line 1, column 2: a name in double quotes is expected here'],
    ['{\n  "a" 1\n}', 'line 2, column 7: a colon is expected here'],
    ['{ "a": 1 "b": 2 }', 'column 10: a comma or } is expected here'],
    ["{ 'a': 1 }", 'a name in double quotes'],
    ['{ "a": 1 } x', 'the end is expected here'],
    ['{ "a": 01 }', 'a comma or }'],
    ['{ "a": "\\x" }', 'valid escapes'],
    ['[1, ', 'a value is expected here'],
    ['[]', 'it is not an object'],
    ['{ "servers": [] }', '"servers" is not an object'],
  ])('refuses %j', (text, message) => {
    expect(() => writeMember(text, PLACE, ENTRY)).toThrow(message);
  });

  test('a document of any shape means the same afterwards, but for the entry', () => {
    const space = fc.constantFrom('', ' ', '\n  ', '\r\n\t', ' // c\n', '/* } */');
    const json = fc.jsonValue({ maxDepth: 3 });
    const documents = fc.tuple(
      fc.dictionary(fc.string(), json),
      fc.dictionary(fc.string(), json),
      space,
      space,
    );
    fc.assert(
      fc.property(documents, ([others, servers, outer, inner]) => {
        const content = { ...others, servers };
        const text = layOut(content, outer, inner);
        const after = writeMember(text, PLACE, ENTRY);
        const expected = { ...content, servers: { ...servers, new: ENTRY } };
        expect(parseDocument(after)?.value).toEqual(JSON.parse(JSON.stringify(expected)));
        // Written again, only the entry changes
        expect(writeMember(after, PLACE, ENTRY)).toBe(after);
      }),
      { numRuns: tries(50, 300) },
    );
  });
});

/** JSON with white space and comments around what it is made of. */
function layOut(content: Readonly<Record<string, unknown>>, outer: string, inner: string): string {
  const members = Object.entries(content).map(([name, value]) => {
    const isGroup = name === 'servers';
    const text = isGroup ? layOut(value as Record<string, unknown>, inner, inner) : JSON.stringify(value);
    return `${outer}${JSON.stringify(name)}${inner}:${inner}${text}${outer}`;
  });
  return `{${members.join(',')}${outer}}`;
}
