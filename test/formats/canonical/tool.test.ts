import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  cloneTool,
  fromMcpTool,
  InvalidToolError,
  lintTool,
  localBackend,
  mcpBackend,
  normalizeTags,
  parseToolId,
  providerBackend,
  toMcpTool,
  toolId,
  validateBackend,
  validateTool,
  type Tool,
} from 'toolwright/formats';
import { codeOf } from '../../support/thrown.ts';

describe('the id of a tool', () => {
  test('is made of namespace, name and version', () => {
    expect(toolId({ namespace: 'filesystem', name: 'read' })).toBe('filesystem:read');
    expect(toolId({ namespace: 'filesystem', name: 'read', version: '1.0.0' })).toBe('filesystem:read:1.0.0');
    expect(toolId({ name: 'read', version: '1.0.0' })).toBe('read');
  });

  test('is read again', () => {
    expect(parseToolId('filesystem:read')).toEqual({ namespace: 'filesystem', name: 'read' });
    expect(Object.keys(parseToolId('filesystem:read'))).not.toContain('version');
    expect(parseToolId('read')).toEqual({ name: 'read' });
    expect(parseToolId('tools:search:1.2.3')).toEqual({
      namespace: 'tools',
      name: 'search',
      version: '1.2.3',
    });
    expect(parseToolId(' a/b : ä ')).toEqual({ namespace: ' a/b ', name: ' ä ' });
  });

  test.each(['a:b:c:d', '', ':', 'a:', ':a', 'a::b', '::', 'a:b:', undefined, null, 1, ['a'], {}])(
    'is not %j',
    (id) => {
      expect(codeOf(() => parseToolId(id as string))).toBe('INVALID_TOOL_ID');
    },
  );

  test('comes back from its text', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes(':'));
    const parts = fc.oneof(
      fc.record({ name: part }),
      fc.record({ namespace: part, name: part, version: part }, { requiredKeys: ['namespace', 'name'] }),
    );
    fc.assert(
      fc.property(parts, (given) => {
        expect({ ...parseToolId(toolId(given)) }).toEqual({ ...given });
      }),
    );
  });
});

describe('a tool', () => {
  const inputSchema = { type: 'object' };

  test('is valid with a name and an input schema', () => {
    expect(() => validateTool({ name: 'ok', inputSchema })).not.toThrow();
    expect(() => validateTool({ name: 'a'.repeat(128), inputSchema: false })).not.toThrow();
    expect(() => validateTool({ name: '-A.b_9-', inputSchema: true })).not.toThrow();
  });

  test.each([
    [{ name: 'bad:name', inputSchema }, 'NAME_INVALID_CHARS'],
    [{ name: 'bad name' }, 'NAME_INVALID_CHARS'],
    [{ name: `${'a'.repeat(128)}:` }, 'NAME_TOO_LONG'],
    [{ name: '', inputSchema }, 'NAME_REQUIRED'],
    [{ name: 1, inputSchema }, 'NAME_REQUIRED'],
    [{ inputSchema }, 'NAME_REQUIRED'],
    [{ name: 'ok' }, 'INPUT_SCHEMA_REQUIRED'],
    [{ name: 'ok', inputSchema: null }, 'INPUT_SCHEMA_REQUIRED'],
    [undefined, 'NAME_REQUIRED'],
    [null, 'NAME_REQUIRED'],
    ['read', 'NAME_REQUIRED'],
  ])('%j is refused: %s', (tool, code) => {
    expect(codeOf(() => validateTool(tool as Tool))).toBe(code);
  });

  test('is refused with each character that it must not have', () => {
    let thrown: unknown;
    try {
      validateTool({ name: 'ä b:ä/😀', inputSchema });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidToolError);
    const { details, message } = thrown as InvalidToolError;
    expect(details.invalidChars).toEqual(['ä', ' ', ':', '/', '😀']);
    for (const character of details.invalidChars) expect(message).toContain(`"${character}"`);
  });

  test('is reported when its name begins or ends with a sign', () => {
    const codes = (name: string) => lintTool({ name }).map(({ code }) => code);
    expect(codes('.a-')).toEqual(['NAME_LEADING_SIGN', 'NAME_TRAILING_SIGN']);
    expect([codes('-a'), codes('a.'), codes('_a_'), codes('a.b-c')]).toEqual([
      ['NAME_LEADING_SIGN'],
      ['NAME_TRAILING_SIGN'],
      [],
      [],
    ]);
  });

  test('loses what the protocol does not know, and nothing else, on its way to MCP', () => {
    const wire = {
      name: 'read',
      title: 'Read',
      description: 'Reads',
      inputSchema: { type: 'object', properties: { a: { const: 1 } } },
      outputSchema: true,
      annotations: { readOnlyHint: true },
      icons: [{ src: 'a.png' }],
      _meta: { a: 1 },
    };
    const tool: Tool = { ...wire, namespace: 'a', version: '1', tags: ['b'], backend: localBackend('c') };
    expect(toMcpTool(tool)).toEqual(wire);
    expect(fromMcpTool(wire)).toEqual(wire);
    expect(cloneTool(tool)).toEqual(tool);
    for (const copy of [toMcpTool(tool), fromMcpTool(wire), cloneTool(tool)]) {
      (copy.inputSchema as Record<string, unknown>).type = 'changed';
    }
    expect(wire.inputSchema.type).toBe('object');
  });
});

describe('tags', () => {
  test.each([
    [
      ['', '   ', '###', 'ok!', 'good_tag'],
      ['ok', 'good_tag'],
    ],
    [['   ', '\t\n'], []],
    [[' File\t  System ', 'file-system', 'FILE SYSTEM'], ['file-system']],
    [
      ['b', 'a', 'b'],
      ['b', 'a'],
    ],
    [['äöü', 'a.b-c_d', '日本'], ['a.b-c_d']],
    [['İI'], ['ii']],
    [[`${'a'.repeat(70)}b`, 'a'.repeat(64)], ['a'.repeat(64)]],
    [[], []],
  ])('%j become %j', (tags, expected) => {
    expect(normalizeTags(tags)).toEqual(expected);
  });

  test('are at most 20, without those that were dropped', () => {
    const tags = Array.from({ length: 30 }, (_none, index) => ['!', 'same', `tag${String(index)}`]).flat();
    expect(normalizeTags(tags)).toEqual([
      'same',
      ...Array.from({ length: 19 }, (_none, index) => `tag${String(index)}`),
    ]);
  });

  test('stay as they are once they were normalized', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (tags) => {
        const once = normalizeTags(tags);
        expect(normalizeTags(once)).toEqual(once);
        expect(once.every((tag) => /^[a-z0-9._-]{1,64}$/.test(tag))).toBe(true);
      }),
    );
  });
});

describe('a backend', () => {
  test('binds to a server, a provider or this process', () => {
    expect(mcpBackend('s')).toEqual({ kind: 'mcp', serverName: 's' });
    expect(providerBackend('p', 't')).toEqual({ kind: 'provider', providerId: 'p', toolId: 't' });
    expect(localBackend('x')).toEqual({ kind: 'local', name: 'x' });
    for (const backend of [mcpBackend('s'), providerBackend('p', 't'), localBackend('x')]) {
      expect(() => validateBackend(backend)).not.toThrow();
    }
    const mixed = { ...localBackend('x'), serverName: '', providerId: 5 };
    expect(() => validateBackend(mixed)).not.toThrow();
  });

  test.each([
    [{ kind: 'mcp' }, 'SERVER_NAME_REQUIRED'],
    [mcpBackend(''), 'SERVER_NAME_REQUIRED'],
    [{ kind: 'provider' }, 'PROVIDER_REQUIRED'],
    [{ kind: 'provider', toolId: 't' }, 'PROVIDER_ID_REQUIRED'],
    [providerBackend('', 't'), 'PROVIDER_ID_REQUIRED'],
    [providerBackend('', ''), 'PROVIDER_ID_REQUIRED'],
    [{ kind: 'provider', providerId: 'p' }, 'TOOL_ID_REQUIRED'],
    [providerBackend('p', ''), 'TOOL_ID_REQUIRED'],
    [{ kind: 'local' }, 'LOCAL_NAME_REQUIRED'],
    [{ kind: 'local', name: 1 }, 'LOCAL_NAME_REQUIRED'],
    [{ kind: 'remote' }, 'UNKNOWN_BACKEND_KIND'],
    [{}, 'UNKNOWN_BACKEND_KIND'],
    [undefined, 'UNKNOWN_BACKEND_KIND'],
    [null, 'UNKNOWN_BACKEND_KIND'],
    ['mcp', 'UNKNOWN_BACKEND_KIND'],
  ])('%j is refused: %s', (backend, code) => {
    expect(codeOf(() => validateBackend(backend as never))).toBe(code);
  });

  test('a kind that does not exist is named', () => {
    expect(() => validateBackend({ kind: 'remote' } as never)).toThrow('is of the kind "remote", which');
  });
});
