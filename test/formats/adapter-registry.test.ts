import { describe, expect, test } from '@jest/globals';
import {
  AdapterNotFoundError,
  ConversionError,
  createNameMap,
  createRegistry,
  defaultRegistry,
  DuplicateAdapterError,
  mcpAdapter,
  RegistryFrozenError,
  type FormatAdapter,
} from 'toolwright/formats';
import { ToolwrightError } from 'toolwright';
import { errorOf } from '../support/thrown.ts';

const plain: FormatAdapter = {
  name: 'plain',
  toCanonical: (raw) => ({ name: String(raw), inputSchema: { type: 'object' } }),
  fromCanonical: ({ name }) => ({
    tool: name,
    warnings: [],
    names: createNameMap([{ toolId: name, providerName: name }]),
  }),
  supportsFeature: () => false,
};

describe('a registry', () => {
  test('knows what was registered', () => {
    const registry = createRegistry();
    expect(registry.list()).toEqual([]);
    registry.register(plain);
    registry.register(mcpAdapter);
    expect(registry.list()).toEqual(['mcp', 'plain']);
    registry.list().push('more');
    expect(registry.list()).toEqual(['mcp', 'plain']);
    expect([registry.has('plain'), registry.has('other'), registry.get('plain')]).toEqual([
      true,
      false,
      plain,
    ]);
    registry.unregister('plain');
    expect(registry.list()).toEqual(['mcp']);
  });

  test('refuses a name twice, and names it does not know', () => {
    const registry = createRegistry();
    registry.register(plain);
    expect(errorOf(() => registry.register({ ...plain }), DuplicateAdapterError).code).toBe(
      'DUPLICATE_ADAPTER',
    );
    expect(errorOf(() => registry.get('other'), AdapterNotFoundError).message).toContain('registered: plain');
    expect(errorOf(() => registry.unregister('other'), AdapterNotFoundError).code).toBe('ADAPTER_NOT_FOUND');
    expect(errorOf(() => registry.convert('x', 'plain', 'other'), AdapterNotFoundError).code).toBe(
      'ADAPTER_NOT_FOUND',
    );
    expect(() => registry.get('constructor')).toThrow(AdapterNotFoundError);
  });

  test('does not change once it is frozen', () => {
    const registry = createRegistry();
    registry.register(plain);
    registry.freeze();
    expect(errorOf(() => registry.register(mcpAdapter), RegistryFrozenError).code).toBe('REGISTRY_FROZEN');
    expect(errorOf(() => registry.unregister('plain'), RegistryFrozenError).code).toBe('REGISTRY_FROZEN');
    expect(registry.list()).toEqual(['plain']);
    expect(registry.convert('x', 'plain', 'plain').tool).toBe('x');
  });
});

describe('the default registry', () => {
  test('is frozen and holds the adapters of this package', () => {
    const registry = defaultRegistry();
    expect(registry.list()).toEqual(['a2a', 'anthropic', 'gemini', 'mcp', 'openai', 'openai-responses']);
    expect(registry.isFrozen).toBe(true);
    expect(() => registry.register(plain)).toThrow(RegistryFrozenError);
  });
});

describe('what an adapter throws', () => {
  const failing = (error: unknown): FormatAdapter => ({
    ...plain,
    name: 'failing',
    toCanonical: () => {
      throw error;
    },
  });
  const convertWith = (adapter: FormatAdapter): unknown => {
    const registry = createRegistry();
    registry.register(adapter);
    return registry.convert({}, adapter.name, adapter.name);
  };

  test('is passed on as it is when it is a ConversionError', () => {
    const error = new ConversionError('NAME_REQUIRED', {
      adapter: 'failing',
      direction: 'toCanonical',
      path: '/name',
      cause: 'no name',
    });
    expect(errorOf(() => convertWith(failing(error)), ConversionError)).toBe(error);
    expect(error.message).toBe('failing toCanonical: no name');
  });

  test('is the cause of one otherwise', () => {
    const cause = new TypeError('broken');
    const error = errorOf(() => convertWith(failing(cause)), ConversionError);
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('failing toCanonical: broken');
    expect(ToolwrightError.is(error)).toBe(true);
  });
});

test('losses can be refused, or ignored', () => {
  const tool = { name: 'x', title: 'X', description: 'D', inputSchema: { type: 'object' } };
  const registry = defaultRegistry();
  const error = errorOf(() => registry.convert(tool, 'mcp', 'openai', { onLoss: 'error' }), ConversionError);
  expect([error.code, error.path, error.warnings.length]).toEqual(['LOSS_NOT_ALLOWED', '/title', 1]);
  expect(error.message).toContain('/title: openai: title was removed');
  expect(registry.convert(tool, 'mcp', 'openai', { onLoss: 'error', ignore: ['title'] }).warnings).toEqual(
    [],
  );
});
