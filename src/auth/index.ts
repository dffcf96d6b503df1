export { apiKeys, createApiKey, hashApiKey, type ApiKey, type ApiKeyOptions } from './api-keys.ts';
export type { ClaimPaths } from './claims.ts';
export type { Fetch } from './fetch-json.ts';
export { introspection, type IntrospectionOptions } from './introspection.ts';
export { jwt, type JwtOptions, type TokenAlgorithm } from './jwt.ts';
export type { KeyOptions } from './key-set.ts';
export { InMemoryRevocationList, type Revoked } from './revocation.ts';
export type { TrustedIssuer } from './trusted-issuers.ts';
