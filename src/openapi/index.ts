export { OpenApiClient, type OpenApiClientOptions } from './openapi-client.ts';
export { writeOpenApiClasses, type OpenApiFiles } from './write-classes.ts';
export type { DocumentPart } from './document-part.ts';
export { OpenApiModule } from './openapi-module.ts';
export type { OperationFingerprint, OperationFingerprints } from './fingerprint.ts';
export {
  findOpenApiChanges,
  planOpenApi,
  type OpenApiPlan,
  type OpenApiPlanOptions,
} from './plan-openapi.ts';
export type { OpenApiOptions } from './options.ts';
export type { ApiPlan, PlannedGroup, PlannedOperation } from '../operations/plan.ts';
export type { OpenApiSource } from './read-document.ts';
export type { OpenApiCredential, OpenApiCredentials } from './credentials.ts';
export type { IdentityOption } from '../operations/api-options.ts';
export { nodeCarrier, type ConnectedServer } from '../operations/http/node-carrier.ts';
export { fetchCarrier, type FetchFunction } from '../operations/http/fetch-carrier.ts';
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
