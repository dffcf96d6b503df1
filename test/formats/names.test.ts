import { describe, expect, test } from '@jest/globals';
import { ConversionError, createNameMap, defaultRegistry, type TargetOptions } from 'toolwright/formats';
import { createHash } from 'node:crypto';
import { brief, type Json } from './convert.ts';
import { errorOf } from '../support/thrown.ts';

const registry = defaultRegistry();
const hash = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 8);
const mcp = (name: string, namespace?: string, version?: string): Json => ({
  name,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  _meta: {
    ...(namespace && { 'toolwright/namespace': namespace }),
    ...(version && { 'toolwright/version': version }),
  },
});
const one = (
  raw: Json,
  to: string,
  options?: TargetOptions,
): { name: unknown; warnings: readonly string[] } => {
  const { tool, warnings } = registry.convert(raw, 'mcp', to, options);
  return { name: nameOf(tool as Json), warnings: brief(warnings) };
};
const nameOf = (tool: Json): unknown =>
  tool.name ?? (tool.function as Json | undefined)?.name ?? (tool.functionDeclarations as Json[])[0]?.name;

describe('one name', () => {
  test('has the namespace in front, without a warning', () => {
    expect(one(mcp('read', 'files'), 'openai')).toEqual({ name: 'files__read', warnings: [] });
    expect(one(mcp('read', 'files'), 'openai', { qualify: false }).name).toBe('read');
    expect(one(mcp('read', 'files'), 'mcp').name).toBe('read');
    expect(one(mcp('read', 'files'), 'mcp', { qualify: true }).name).toBe('files__read');
  });

  test('has forbidden characters replaced, with a warning', () => {
    expect(one(mcp('read.file'), 'openai')).toEqual({
      name: 'read_file',
      warnings: ['name /name transformed'],
    });
    expect(one(mcp('read.file'), 'gemini')).toEqual({ name: 'read.file', warnings: [] });
    expect(one(mcp('9 lives 😀'), 'anthropic').name).toBe('9_lives__');
    expect(one(mcp('9lives'), 'gemini').name).toBe('_9lives');
    expect(one(mcp('-x'), 'gemini').name).toBe('_-x');
    expect(one(mcp('é'), 'gemini').name).toBe('_');
  });

  test('is cut with a hash of the id', () => {
    const long = 'x'.repeat(70);
    const { name, warnings } = one(mcp(long, 'ns', '1.0.0'), 'anthropic');
    expect(name).toBe(`${`ns__${long}`.slice(0, 55)}_${hash(`ns:${long}:1.0.0`)}`);
    expect(String(name)).toHaveLength(64);
    expect(warnings).toEqual(['name /name transformed', 'version /version dropped']);
    expect(String(one(mcp(long), 'openai', { maxNameLength: 32 }).name)).toHaveLength(32);
    expect(one(mcp('x'.repeat(128)), 'mcp').warnings).toEqual([]);
  });
});

describe('the names of a set', () => {
  const namesOf = (raws: readonly Json[], to = 'openai'): readonly unknown[] =>
    registry.convertMany(raws, 'mcp', to).tools.map((tool) => nameOf(tool as Json));

  test('are unique: who needed no change keeps the name', () => {
    const set = [mcp('a.b'), mcp('a_b'), mcp('a b'), mcp('c')];
    const expected = [`a_b_${hash('a.b')}`, 'a_b', `a_b_${hash('a b')}`, 'c'];
    expect(namesOf(set)).toEqual(expected);
    expect(namesOf(set.toReversed())).toEqual(expected.toReversed());
  });

  test('are all changed when none has a better right', () => {
    expect(namesOf([mcp('b__c', 'a'), mcp('c', 'a__b')])).toEqual([
      `a__b__c_${hash('a:b__c')}`,
      `a__b__c_${hash('a__b:c')}`,
    ]);
    expect(namesOf([mcp('x', 'n', '1.0.0'), mcp('x', 'n', '2.0.0')])).toEqual([
      `n__x_${hash('n:x:1.0.0')}`,
      `n__x_${hash('n:x:2.0.0')}`,
    ]);
  });

  test('lead back to the tools', () => {
    const { names, warnings } = registry.convertMany([mcp('a.b'), mcp('a_b')], 'mcp', 'gemini');
    expect(names.toProvider('a.b')).toBe('a.b');
    expect(names.toToolId('a_b')).toBe('a_b');
    expect([names.toToolId('other'), names.toProvider('other')]).toEqual([undefined, undefined]);
    expect(warnings).toEqual([]);
    const renamed = registry.convertMany([mcp('a.b'), mcp('a_b')], 'mcp', 'openai');
    expect(renamed.warnings).toEqual([expect.objectContaining({ feature: 'name', toolId: 'a.b' })]);
    expect(renamed.names.toToolId(renamed.names.toProvider('a.b') ?? '')).toBe('a.b');
  });

  test('decode the arguments of each tool', () => {
    const open = { name: 'open', inputSchema: { type: 'object', properties: { any: {} } } };
    const { names } = registry.convertMany([mcp('a'), open], 'mcp', 'openai', { strict: true });
    expect(names.decodeArguments('open', { any: '[1]' })).toEqual({ any: [1] });
    expect(names.decodeArguments('a', { a: null })).toEqual({});
    expect(names.decodeArguments('unknown', { a: null })).toEqual({ a: null });
    expect(names.decodeArguments('a', undefined)).toBeUndefined();
  });

  test('come from different ids', () => {
    const error = errorOf(() => namesOf([mcp('a'), mcp('a')]), ConversionError);
    expect([error.code, error.adapter, error.direction]).toEqual([
      'DUPLICATE_TOOL',
      'openai',
      'fromCanonical',
    ]);
  });

  test('that stay the same are an error', () => {
    const first = mcp('a.b');
    const second = mcp(`a_b_${hash('a.b')}`);
    const error = errorOf(() => namesOf([first, mcp('a_b'), second]), ConversionError);
    expect(error.code).toBe('NAME_COLLISION');
  });

  test('leave losses to the options', () => {
    const set = [mcp('a.b'), mcp('a_b')];
    expect(
      registry.convertMany(set, 'mcp', 'openai', { ignore: ['name'], onLoss: 'error' }).warnings,
    ).toEqual([]);
    const error = errorOf(
      () => registry.convertMany(set, 'mcp', 'openai', { onLoss: 'error' }),
      ConversionError,
    );
    expect([error.code, brief(error.warnings)]).toEqual(['LOSS_NOT_ALLOWED', ['name /name transformed']]);
  });
});

test('a map of names can be made for an adapter of your own', () => {
  const names = createNameMap([{ toolId: 'a', providerName: 'A', decode: () => ({ x: 1 }) }]);
  expect([names.toProvider('a'), names.toToolId('A'), names.decodeArguments('A', {})]).toEqual([
    'A',
    'a',
    { x: 1 },
  ]);
});
