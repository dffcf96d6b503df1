import { anObject, listOf, rule, secret } from './option-rules.ts';

/** Who calls, as an application is told of it; what came stays out of messages. */
export const authRule = secret(
  rule("{ token: '…', clientId: '…', scopes: [] }, as `authenticate` gives it", (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const { token, clientId, scopes } = value as Readonly<Record<string, unknown>>;
    return typeof token === 'string' && typeof clientId === 'string' && Array.isArray(scopes);
  }),
);

export const headersRule = rule(
  "an object of texts: { 'x-tenant': 'acme' }",
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((header) => typeof header === 'string'),
);

export const rootsRule = listOf(anObject, "a list of roots: [{ uri: 'file:///work' }]");

export const signalRule = rule('an AbortSignal', (value) => value instanceof AbortSignal);
