import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { SecurityRequirement, SecuritySchemes } from '../../canonical/canonical-tool.ts';

/** The wrappers of protocol 1.0, and the type that OpenAPI has for each. */
const TYPES = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
} as const;

const WRAPPERS = new Map<unknown, string>(Object.entries(TYPES).map(([wrapper, type]) => [type, wrapper]));

/** Schemes in their flat form, from either form. */
export function readSchemes(schemes: PlainObject): SecuritySchemes {
  const entries = Object.entries(schemes).filter((entry): entry is [string, PlainObject] =>
    isPlainObject(entry[1]),
  );
  return Object.fromEntries(entries.map(([name, scheme]) => [name, readScheme(scheme)]));
}

function readScheme(scheme: PlainObject): PlainObject {
  for (const [wrapper, type] of Object.entries(TYPES)) {
    const inner = scheme[wrapper];
    if (!isPlainObject(inner)) continue;
    const { location, ...members } = inner;
    return { type, ...members, ...(location !== undefined && { in: location }) };
  }
  return scheme;
}

/** Schemes in the form of protocol 1.0, and the names of those that it does not know. */
export function writeSchemes(schemes: SecuritySchemes): {
  readonly schemes: PlainObject;
  readonly unknown: readonly string[];
} {
  const entries = Object.entries(schemes).map(([name, scheme]) => [name, writeScheme(scheme)] as const);
  return {
    schemes: Object.fromEntries(entries.filter(([, scheme]) => scheme !== undefined)),
    unknown: entries.filter(([, scheme]) => scheme === undefined).map(([name]) => name),
  };
}

function writeScheme({ type, in: location, ...members }: PlainObject): PlainObject | undefined {
  const wrapper = WRAPPERS.get(type);
  if (wrapper === undefined) return undefined;
  return { [wrapper]: { ...members, ...(location !== undefined && { location }) } };
}

/** Requirements in their flat form, from either form. */
export function readRequirements(requirements: readonly PlainObject[]): readonly SecurityRequirement[] {
  return requirements.map((requirement) => {
    const { schemes } = requirement;
    const isWrapped = isPlainObject(schemes);
    const entries = Object.entries(isWrapped ? schemes : requirement);
    return Object.fromEntries(entries.map(([name, scopes]) => [name, scopesOf(scopes)]));
  });
}

function scopesOf(scopes: unknown): readonly string[] {
  const list = isPlainObject(scopes) ? scopes.list : scopes;
  return Array.isArray(list) ? list.map(String) : [];
}

/** Requirements in the form of protocol 1.0. */
export function writeRequirements(requirements: readonly SecurityRequirement[]): readonly PlainObject[] {
  return requirements.map((requirement) => ({
    schemes: Object.fromEntries(Object.entries(requirement).map(([name, list]) => [name, { list }])),
  }));
}
