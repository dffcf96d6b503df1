import { describe, expect, test } from '@jest/globals';
import { a2aAdapter, ConversionError, type CanonicalProvider } from 'toolwright/formats';
import { brief, type Json } from '../../convert.ts';
import { errorOf } from '../../../support/thrown.ts';

/** A card with every member of protocol 1.0. */
const card: Json = {
  name: 'Librarian',
  description: 'Finds books.',
  supportedInterfaces: [
    { url: 'https://example.com/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://example.com/rest', protocolBinding: 'HTTP+JSON', tenant: 'acme', protocolVersion: '1.0' },
  ],
  version: '2.1.0',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'urn:example:x', description: 'X', required: false, params: { a: 1 } }],
    extendedAgentCard: true,
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { description: 'A key.', location: 'header', name: 'X-Key' } },
    basic: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { read: 'Read' } } },
        oauth2MetadataUrl: 'https://example.com/meta',
      },
    },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://example.com/oidc' } },
    mtls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { oauth: { list: ['read'] }, key: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['application/json'],
  skills: [
    {
      id: 'books:find:1.0.0',
      name: 'Find',
      description: 'Finds a book.',
      tags: ['books'],
      examples: ['Find Dune'],
      inputModes: ['text/plain'],
      outputModes: ['application/json'],
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    },
  ],
  provider: { url: 'https://example.com', organization: 'Example' },
  documentationUrl: 'https://example.com/docs',
  iconUrl: 'https://example.com/icon.png',
  signatures: [{ protected: 'p', signature: 's' }],
};

describe('an agent card', () => {
  const provider = a2aAdapter.toCanonicalProvider(card);

  test('is read with security in the form of OpenAPI', () => {
    expect(provider).toMatchObject({
      name: 'Librarian',
      version: '2.1.0',
      capabilities: card.capabilities,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'A key.' },
        basic: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        oauth: { type: 'oauth2', oauth2MetadataUrl: 'https://example.com/meta' },
        oidc: { type: 'openIdConnect' },
        mtls: { type: 'mutualTLS' },
      },
      securityRequirements: [{ oauth: ['read'], key: [] }],
    });
    expect(provider.skills?.[0]).toMatchObject({
      namespace: 'books',
      name: 'find',
      version: '1.0.0',
      securityRequirements: [{ key: [] }],
    });
  });

  test('is written again as it was', () => {
    const written = a2aAdapter.fromCanonicalProvider(provider);
    expect(written.card).toEqual(card);
    expect(written.warnings).toEqual([]);
  });

  test.each(['name', 'description', 'version'])('has a %s', (field) => {
    const { [field]: _missing, ...rest } = card;
    const read = errorOf(() => a2aAdapter.toCanonicalProvider(rest), ConversionError);
    expect([read.code, read.path, read.direction]).toEqual([
      'MISSING_CARD_FIELD',
      `/${field}`,
      'toCanonicalProvider',
    ]);
    const { [field as 'name']: _gone, ...others } = provider;
    const write = errorOf(
      () => a2aAdapter.fromCanonicalProvider(others as CanonicalProvider),
      ConversionError,
    );
    expect([write.code, write.path, write.direction]).toEqual([
      'MISSING_CARD_FIELD',
      `/${field}`,
      'fromCanonicalProvider',
    ]);
  });

  test('has an interface', () => {
    const { supportedInterfaces: _none, ...rest } = card;
    expect(errorOf(() => a2aAdapter.toCanonicalProvider(rest), ConversionError).code).toBe(
      'MISSING_INTERFACES',
    );
    const { source: _source, ...made } = provider;
    expect(errorOf(() => a2aAdapter.fromCanonicalProvider(made), ConversionError).code).toBe(
      'MISSING_INTERFACES',
    );
    const supportedInterfaces = [{ url: 'https://a.example', protocolBinding: 'GRPC' }];
    const { card: written } = a2aAdapter.fromCanonicalProvider(made, { supportedInterfaces });
    expect(written.supportedInterfaces).toEqual([{ ...supportedInterfaces[0], protocolVersion: '1.0' }]);
    expect([written.defaultInputModes, written.capabilities]).toEqual([['text/plain'], card.capabilities]);
  });

  test.each([null, [], 'card'])('is an object: %p', (raw) => {
    expect(errorOf(() => a2aAdapter.toCanonicalProvider(raw), ConversionError).code).toBe('INVALID_INPUT');
  });
});

test('a card of protocol 0.3 is read as one of 1.0', () => {
  const provider = a2aAdapter.toCanonicalProvider({
    name: 'Old',
    description: 'An older agent.',
    version: '1.0.0',
    url: 'https://old.example/rpc',
    additionalInterfaces: [
      { url: 'https://old.example/rpc', transport: 'JSONRPC' },
      { url: 'https://old.example/grpc', transport: 'GRPC' },
    ],
    capabilities: { streaming: true },
    supportsAuthenticatedExtendedCard: true,
    security: [{ key: ['a'] }],
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'a b', name: 'A', description: 'Does a.', tags: [], security: [{ key: [] }] }],
  });
  const { card: written } = a2aAdapter.fromCanonicalProvider(provider);
  expect(written).toMatchObject({
    supportedInterfaces: [
      { url: 'https://old.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: 'https://old.example/grpc', protocolBinding: 'GRPC', protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true, extendedAgentCard: true },
    securityRequirements: [{ schemes: { key: { list: ['a'] } } }],
    securitySchemes: { key: { apiKeySecurityScheme: { location: 'query', name: 'k' } } },
    skills: [{ id: 'a b', securityRequirements: [{ schemes: { key: { list: [] } } }] }],
  });
  expect(written).not.toHaveProperty('url');
  expect(provider.skills?.[0]?.name).toBe('a_b');
});

describe('the id of a skill', () => {
  test.each([
    ['search', { name: 'search' }],
    ['web:search', { namespace: 'web', name: 'search' }],
    ['a:b:c:d', { name: 'a_b_c_d' }],
    ['web:', { name: 'web_' }],
    ['web:find books', { name: 'web_find_books' }],
  ])('%s is the name of a tool', (id, expected) => {
    const { namespace, name, version, source } = a2aAdapter.toCanonical({ id });
    expect({ namespace, name, version }).toEqual({ namespace: undefined, version: undefined, ...expected });
    expect(source?.extra.skillId).toBe(id);
    const { tool, names } = a2aAdapter.fromCanonical(a2aAdapter.toCanonical({ id }));
    expect(tool).toMatchObject({ id, tags: [] });
    expect(names.toToolId(id)).toBeDefined();
  });

  test('does not carry a version without a namespace', () => {
    const { warnings } = a2aAdapter.fromCanonical({ name: 'x', version: '1.0.0', inputSchema: true });
    expect(brief(warnings)).toEqual(['version /version dropped']);
  });
});

describe('the extension with schemas', () => {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const provider: CanonicalProvider = {
    name: 'A',
    description: 'B',
    version: '1.0.0',
    skills: [
      { name: 'find', namespace: 'n', inputSchema, outputSchema: { type: 'object', required: ['a'] } },
      { name: 'ping', inputSchema: { type: 'object' } },
    ],
  };
  const supportedInterfaces = [{ url: 'https://a.example', protocolBinding: 'JSONRPC' }];

  test('is not there unless it is asked for, and the loss is reported', () => {
    const { card: written, warnings } = a2aAdapter.fromCanonicalProvider(provider, { supportedInterfaces });
    expect(written.capabilities).toEqual({});
    expect(brief(warnings)).toEqual([
      'inputSchema /skills/0/inputSchema dropped',
      'outputSchema /skills/0/outputSchema dropped',
    ]);
    expect(
      errorOf(
        () => a2aAdapter.fromCanonicalProvider(provider, { supportedInterfaces, onLoss: 'error' }),
        ConversionError,
      ).code,
    ).toBe('LOSS_NOT_ALLOWED');
  });

  test('carries them there and back', () => {
    const { card: written, warnings } = a2aAdapter.fromCanonicalProvider(provider, {
      supportedInterfaces,
      schemaExtension: true,
    });
    expect(warnings).toEqual([]);
    expect((written.capabilities as { extensions: Json[] }).extensions[0]).toMatchObject({
      uri: 'urn:toolwright:a2a:tool-schemas:1',
      params: { skills: { 'n:find': { inputSchema }, ping: { inputSchema: { type: 'object' } } } },
    });
    const read = a2aAdapter.toCanonicalProvider(written);
    expect(read.skills?.map((skill) => [skill.inputSchema, skill.outputSchema])).toEqual([
      [inputSchema, { type: 'object', required: ['a'] }],
      [{ type: 'object' }, undefined],
    ]);
    expect(read.capabilities).toEqual({});
  });

  test('is checked like any schema', () => {
    const { card: written } = a2aAdapter.fromCanonicalProvider(provider, {
      supportedInterfaces,
      schemaExtension: true,
    });
    const text = JSON.stringify(written).replace('{"type":"string"}', '{"$ref":"https://example.com/x"}');
    const error = errorOf(() => a2aAdapter.toCanonicalProvider(JSON.parse(text)), ConversionError);
    expect(error.code).toBe('EXTERNAL_REF');
    expect(error.path).toBe(
      '/capabilities/extensions/0/params/skills/n:find/inputSchema/properties/text/$ref',
    );
  });
});

test('a scheme of an unknown type is dropped with a warning', () => {
  const provider = { name: 'A', description: 'B', version: '1', securitySchemes: { odd: { type: 'odd' } } };
  const supportedInterfaces = [{ url: 'https://a.example', protocolBinding: 'JSONRPC' }];
  const { card: written, warnings } = a2aAdapter.fromCanonicalProvider(provider, { supportedInterfaces });
  expect(written).not.toHaveProperty('securitySchemes');
  expect(brief(warnings)).toEqual(['securitySchemes /securitySchemes/odd dropped']);
});
