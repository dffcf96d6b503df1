export { exposeNest, type ExposeNestOptions } from './expose-nest.ts';
export { NestApi, type NestApiOptions } from './nest-api.ts';
export type { NestApplication } from './nest-application.ts';
export { nestCall } from './nest-call.ts';
export type {
  CurationOptions,
  OperationPattern,
  OperationSettings,
  Requirements,
} from '../operations/curation.ts';
export type { CarriedCall, Identity, OperationFacts } from '../operations/operation.ts';
