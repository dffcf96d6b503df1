export { OpenApiModule, type OpenApiOptions } from './openapi-module.ts';
export type { OpenApiSource } from './read-document.ts';
export type { OpenApiCredential, OpenApiCredentials } from './credentials.ts';
export type { IdentityOption } from '../operations/api-options.ts';
export { nodeCarrier, type ConnectedServer } from '../operations/node-carrier.ts';
export { fetchCarrier, type FetchFunction } from '../operations/fetch-carrier.ts';
export type { CurationOptions, Requirements } from '../operations/curation.ts';
export type { OperationPattern } from '../operations/patterns.ts';
export type { CallKey, OperationSettings } from '../operations/settings.ts';
export type {
  CarriedCall,
  Carrier,
  CarryOptions,
  HttpAnswer,
  HttpRequest,
  Identity,
  OperationFacts,
} from '../operations/operation.ts';
